import type { AdvisoryKey, HostId } from '@plimsoll/model';
import { type Database, isUuid, preparedReads } from '../../core/database.ts';
import { type CveFacts, loadCveFacts } from '../../knowledge/feeds/cve-store.ts';
import type { KnowledgeMemories, KnowledgeMemory } from '../../knowledge/knowledge-memory.ts';
import type { AdvisoryDetails } from '../../knowledge/known-advisories.ts';
import type { SideStatements } from '../../knowledge/side-statements.ts';
import { type Exposure, exposureAt, sinceKnown } from '../history/exposure-walk.ts';
import { loadCompanions } from './companions.ts';
import { type DueReasons, loadDueReasons } from './due-reasons.ts';
import { type FindingHost, type FindingOrigin, loadFindingExposures } from './finding-exposures.ts';
import { type HostToAssess, type InstalledVersion, loadStoredHost } from './stored-host.ts';

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
    host: Pick<HostToAssess, 'moment' | 'memory'>,
    keys: readonly AdvisoryKey[],
  ): Promise<ReadonlyMap<AdvisoryKey, AdvisoryDetails>>;
  /**
   * Facts by CVE; a CVE without facts has no entry. At a past time only of exploitation, because the others change every day
   * and have no history.
   */
  cveFacts(
    host: Pick<HostToAssess, 'moment' | 'memory'>,
    cves: readonly string[],
  ): Promise<ReadonlyMap<string, CveFacts>>;
  /** Errata, and statements about other builds, of packages of a host's release; see SideStatementReader. */
  sideStatements(
    host: Pick<HostToAssess, 'moment' | 'release' | 'memory'>,
    names: readonly string[],
  ): Promise<SideStatements>;
  /**
   * When findings of a host were first seen, in the order of `origins`: when the unbroken exposure to what the advisory
   * is about began; see exposuresOf and sinceKnown.
   */
  firstSeen(host: FindingHost, origins: readonly FindingOrigin[]): Promise<readonly Date[]>;
}

/** The assessment store of one database. @param memories what its reads share. */
export function createAssessmentStore(
  database: Pick<Database, 'pool'>,
  memories: KnowledgeMemories,
): AssessmentStore {
  const reads = preparedReads(database);
  return {
    load: (hostId) => (isUuid(hostId) ? loadStoredHost(reads, memories, hostId) : Promise.resolve(null)),
    dueReasons: (hosts) => loadDueReasons(reads, hosts),
    companions: (host) => loadCompanions(reads, host),
    describe: (host, keys) => host.memory.advisories.describe(keys, host.moment.knownAt),
    cveFacts: ({ moment: { knownAt }, memory }, cves) =>
      knownAt === null ? loadCveFacts(reads, cves) : pastFacts(memory, knownAt, cves),
    sideStatements: ({ memory: { sides }, release, moment }, names) =>
      sides.read(release, names, moment.knownAt),
    async firstSeen(host, origins) {
      const all = await loadFindingExposures(reads, host, origins, sinceKnown);
      return origins.map(({ statedAt }, index) => {
        const at = host.moment.at?.getTime() ?? Number.POSITIVE_INFINITY;
        const found = exposureOf(all[index]?.exposures ?? [], at);
        if (found !== undefined) return all[index]?.startOf(found) ?? found.from;
        return new Date(Math.max(host.firstSnapshotAt.getTime(), statedAt.getTime()));
      });
    },
  };
}

/** The exposure at a time, or the first one after it: by what is known today it can begin later. */
function exposureOf(exposures: readonly Exposure[], at: number): Exposure | undefined {
  return exposureAt(exposures, at) ?? exposures.find(({ from }) => from.getTime() > at);
}

async function pastFacts(
  { versions }: KnowledgeMemory,
  knownAt: Date,
  cves: readonly string[],
): Promise<ReadonlyMap<string, CveFacts>> {
  const exploited = await versions.exploited();
  const found = new Map<string, CveFacts>();
  for (const cve of cves) {
    const exploitedSince = exploited.listedSince(cve, knownAt);
    if (exploitedSince !== null) found.set(cve, { epss: null, exploitedSince, ssvc: null });
  }
  return found;
}
