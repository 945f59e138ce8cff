import type { AdvisoryKey, CvssScore, HostId } from '@plimsoll/model';
import { preparedReads } from '../connection/prepared-reads.ts';
import type { Statements } from '../connection/transaction.ts';
import { type Database, isUuid } from '../database.ts';
import { type Exposure, exposureAt, sinceKnown } from '../history/exposure-walk.ts';
import { loadCompanions } from './companions.ts';
import { type DueReasons, loadDueReasons } from './due-reasons.ts';
import { type FindingHost, type FindingOrigin, loadFindingExposures } from './finding-exposures.ts';
import { SideStatementReader, type SideStatements } from './side-statements.ts';
import { type HostToAssess, type InstalledVersion, knownIn, loadStoredHost } from './stored-host.ts';

/** The fields of an advisory besides its statements. */
export interface AdvisoryDetails {
  readonly key: AdvisoryKey;
  readonly title: string;
  readonly url: string;
  readonly publishedAt: Date | null;
  /** Sorted. */
  readonly aliases: readonly string[];
  readonly cvss: CvssScore | null;
}

/** Loads what the assessment of a single host needs. Each answer is as of the moment that the host is looked at. */
export interface AssessmentStore {
  /** Null if the host does not exist or has no matched snapshot. */
  load(hostId: string): Promise<HostToAssess | null>;
  /** Why hosts need a reboot or restarts; hosts without a matched snapshot are missing. Any number of hosts at once. */
  dueReasons(hosts: readonly HostId[]): Promise<ReadonlyMap<HostId, DueReasons>>;
  /** The kernel companions of a host; see loadCompanions. */
  companions(host: HostToAssess): Promise<readonly InstalledVersion[]>;
  /** Advisories by key. */
  describe(
    host: Pick<HostToAssess, 'moment'>,
    keys: readonly AdvisoryKey[],
  ): Promise<ReadonlyMap<AdvisoryKey, AdvisoryDetails>>;
  /** Errata, and statements about other builds, of packages of a host's release; see SideStatementReader. */
  sideStatements(
    host: Pick<HostToAssess, 'moment' | 'release'>,
    names: readonly string[],
  ): Promise<SideStatements>;
  /**
   * When findings of a host were first seen, in the order of `origins`: when the unbroken exposure to what the advisory
   * is about began; see exposuresOf and sinceKnown.
   */
  firstSeen(host: FindingHost, origins: readonly FindingOrigin[]): Promise<readonly Date[]>;
}

/** The assessment store of one database. */
export function createAssessmentStore(database: Pick<Database, 'pool'>): AssessmentStore {
  const reads = preparedReads(database);
  const side = new SideStatementReader(reads);
  return {
    load: (hostId) => (isUuid(hostId) ? loadStoredHost(reads, hostId) : Promise.resolve(null)),
    dueReasons: (hosts) => loadDueReasons(reads, hosts),
    companions: (host) => loadCompanions(reads, host),
    describe: ({ moment }, keys) => describeAdvisories(knownIn(reads, moment), keys),
    sideStatements: (host, names) => side.read(host, names),
    async firstSeen(host, origins) {
      const exposures = await loadFindingExposures(reads, host, origins, sinceKnown);
      return origins.map(({ statedAt }, index) => {
        const at = host.moment.at?.getTime() ?? Number.POSITIVE_INFINITY;
        const found = exposureOf(exposures[index] ?? [], at);
        return found?.from ?? new Date(Math.max(host.firstSnapshotAt.getTime(), statedAt.getTime()));
      });
    },
  };
}

/** The exposure at a time, or the first one after it: by what is known today it can begin later. */
function exposureOf(exposures: readonly Exposure[], at: number): Exposure | undefined {
  return exposureAt(exposures, at) ?? exposures.find(({ from }) => from.getTime() > at);
}

/** Advisories by key. */
export async function describeAdvisories(
  client: Statements,
  keys: readonly AdvisoryKey[],
): Promise<ReadonlyMap<AdvisoryKey, AdvisoryDetails>> {
  const { rows } = await client.query<
    Omit<AdvisoryDetails, 'cvss'> & { cvssScore: number | null; cvssVector: string | null }
  >(
    `SELECT id AS key, title, url, published_at AS "publishedAt", aliases, cvss_score AS "cvssScore", cvss_vector AS "cvssVector"
     FROM advisories WHERE id = ANY($1::int[])`,
    [keys],
  );
  return new Map(
    rows.map(({ cvssScore, cvssVector, ...details }) => [
      details.key,
      {
        ...details,
        cvss: cvssScore === null || cvssVector === null ? null : { score: cvssScore, vector: cvssVector },
      },
    ]),
  );
}
