import type { AdvisoryKey, CvssScore, HostId, Release } from '@plimsoll/model';
import { preparedReads } from '../connection/prepared-reads.ts';
import type { Statements } from '../connection/transaction.ts';
import { type Database, isUuid } from '../database.ts';
import { type Exposure, exposureAt, sinceKnown } from '../history/exposure-walk.ts';
import { loadCompanions } from './companions.ts';
import { type DueReasons, loadDueReasons } from './due-reasons.ts';
import { type FindingHost, type FindingOrigin, loadFindingExposures } from './finding-exposures.ts';
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

/** An erratum that ships a fix of a package in a release: further evidence for the CVEs it names. */
export interface ErratumOf {
  readonly name: string;
  readonly externalId: string;
  readonly cves: readonly string[];
}

/** A package by the name that advisories use, and a CVE. */
export interface PackageCve {
  readonly name: string;
  readonly cve: string;
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
  /** The errata of a host's release for packages; see loadErrataOf. */
  errataOf(
    host: Pick<HostToAssess, 'moment' | 'release'>,
    pairs: readonly PackageCve[],
  ): Promise<readonly ErratumOf[]>;
  /**
   * When findings of a host were first seen, in the order of `origins`: when the unbroken exposure to what the advisory
   * is about began; see exposuresOf and sinceKnown.
   */
  firstSeen(host: FindingHost, origins: readonly FindingOrigin[]): Promise<readonly Date[]>;
}

/** The assessment store of one database. */
export function createAssessmentStore(database: Pick<Database, 'pool'>): AssessmentStore {
  const reads = preparedReads(database);
  return {
    load: (hostId) => (isUuid(hostId) ? loadStoredHost(reads, hostId) : Promise.resolve(null)),
    dueReasons: (hosts) => loadDueReasons(reads, hosts),
    companions: (host) => loadCompanions(reads, host),
    describe: ({ moment }, keys) => describeAdvisories(knownIn(reads, moment), keys),
    errataOf: ({ moment, release }, pairs) => loadErrataOf(knownIn(reads, moment), release, pairs),
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

/**
 * A package with fewer statements in a release has its errata found by these. A kernel has thousands, few of them of
 * errata: its errata are found by its CVEs, each of which takes ten times as long as a statement.
 */
const fewStatements = 2_000;

/**
 * The errata of a release for packages: all that name one of a package's CVEs, and possibly others of the package.
 * @param few fewer statements than this are read one by one
 */
export async function loadErrataOf(
  client: Statements,
  release: Release,
  pairs: readonly PackageCve[],
  few = fewStatements,
): Promise<readonly ErratumOf[]> {
  const { rows } = await client.query<ErratumOf>(
    `WITH asked AS MATERIALIZED (
       SELECT n.name, r.id AS release_id, (SELECT count(*) FROM (
           SELECT FROM advisory_packages WHERE release_id = r.id AND name = n.name LIMIT $4::int) s) < $4 AS has_few
       FROM releases r CROSS JOIN (SELECT DISTINCT unnest($2::text[]) AS name) n WHERE r.name = $1)
     SELECT found.name, found.external_id AS "externalId", found.cves
     FROM asked n CROSS JOIN LATERAL (
       SELECT ap.name, e.external_id, coalesce(ap.cves, e.cves) AS cves
       FROM (SELECT * FROM advisory_packages WHERE release_id = n.release_id AND name = n.name OFFSET 0) ap
       CROSS JOIN LATERAL (SELECT * FROM advisories WHERE id = ap.advisory_id OFFSET 0) e
       WHERE e.kind = 'erratum' AND e.withdrawn_at IS NULL OFFSET 0) found
     WHERE n.has_few
     UNION ALL
     SELECT e.name, e.external_id, coalesce(ap.cves, e.cves)
     FROM (SELECT DISTINCT ON (n.name, a.id) n.name, n.release_id, a.id, a.external_id, a.cves
           FROM unnest($2::text[], $3::text[]) AS c (name, cve) JOIN asked n ON n.name = c.name AND NOT n.has_few
           CROSS JOIN LATERAL (
             SELECT * FROM advisories
             WHERE cves @> ARRAY[c.cve] AND kind = 'erratum' AND withdrawn_at IS NULL OFFSET 0) a) e
     CROSS JOIN LATERAL (
       SELECT * FROM advisory_packages
       WHERE advisory_id = e.id AND release_id = e.release_id AND name = e.name OFFSET 0) ap`,
    [release, pairs.map(({ name }) => name), pairs.map(({ cve }) => cve), few],
  );
  return rows;
}
