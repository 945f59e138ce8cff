import {
  assessedPackage,
  type CountedHost,
  countHost,
  type FindingCounts,
  type HostTotals,
  type HostUpgrade,
  type PackageSummary,
  summarisePackage,
} from '@plimsoll/advisories';
import {
  bitsOfGrounds,
  type HostId,
  type PackageVersionId,
  type Release,
  type UploadId,
} from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { decodePackageSet } from '../interning/package-set.ts';
import { assessedFactsColumn, readAssessedFacts } from '../snapshots/stored-facts.ts';
import {
  coreQuestion,
  loadCoreHistories,
  loadLifecycles,
  loadLivePatchCves,
  loadOffers,
  toHostFacts,
} from './host-facts.ts';
import { loadPackageVersions } from './package-versions.ts';
import { loadMatchedStatements } from './statements.ts';

/** A stored snapshot with everything that counting its host needs. */
export interface CountableSnapshot {
  readonly hostId: HostId;
  readonly snapshotId: UploadId;
  readonly sequence: string;
  readonly receivedAt: Date;
  readonly release: Release;
  readonly releaseId: number;
  /** Parsed by readAssessedFacts. */
  readonly storedFacts: unknown;
  readonly setId: number;
  readonly ids: Uint8Array;
  readonly upgradeIds: readonly number[];
  readonly heldIds: readonly PackageVersionId[];
  readonly runningKernelId: PackageVersionId | null;
}

/** The select list of a `CountableSnapshot`, from `snapshots s`, `package_sets ps` and `releases r`. */
export const countableColumns = `s.host_id AS "hostId", s.id AS "snapshotId", s.sequence, s.received_at AS "receivedAt",
  r.name AS release, s.release_id AS "releaseId", ${assessedFactsColumn} AS "storedFacts", s.set_id AS "setId", ps.ids, s.upgrade_ids AS "upgradeIds",
  s.held_ids AS "heldIds", s.running_kernel_id AS "runningKernelId"`;

/**
 * Counts hosts. Caches the summaries of package versions and updates between calls: use one counter per process and
 * database.
 */
export interface HostCounter {
  /** Returns counts in the order of `snapshots`. The caller holds the lock of holdAdvisories or changeAdvisories. */
  count(client: pg.PoolClient, snapshots: readonly CountableSnapshot[]): Promise<readonly HostCounts[]>;
}

/** Entries per cache. */
const cachedEntries = 200_000;

/** Makes a counter with empty caches. */
export function createHostCounter(): HostCounter {
  const packages = new LRUCache<PackageVersionId, PackageSummary>({ max: cachedEntries });
  const upgrades = new LRUCache<number, HostUpgrade>({ max: cachedEntries });
  let epoch = '';
  return {
    async count(client, snapshots) {
      const current = await loadEpoch(client);
      if (current !== epoch) packages.clear();
      epoch = current;
      const hosts = snapshots.map((snapshot) => ({
        ...snapshot,
        packageIds: decodePackageSet(snapshot.ids),
        facts: readAssessedFacts(snapshot.storedFacts),
      }));
      const wanted = new Set(hosts.flatMap(({ packageIds }) => packageIds));
      for (const { runningKernelId } of hosts) if (runningKernelId !== null) wanted.add(runningKernelId);
      const known = await fill(packages, [...wanted], (ids) => summariseVersions(client, ids));
      const offered = await fill(upgrades, [...new Set(hosts.flatMap((host) => host.upgradeIds))], (ids) =>
        loadOffers(client, ids),
      );
      const histories = await loadCoreHistories(
        client,
        hosts.flatMap(({ hostId, facts }) => coreQuestion(hostId, facts) ?? []),
      );
      const lifecycles = await loadLifecycles(
        client,
        hosts.map(({ release }) => release),
      );
      return hosts.map(({ hostId, release, facts, packageIds, heldIds, runningKernelId, upgradeIds }) =>
        hostCountsOf({
          packages: pick(known, packageIds),
          runningKernel: runningKernelId === null ? null : (known.get(runningKernelId) ?? null),
          facts: toHostFacts({
            release,
            lifecycle: lifecycles.get(release) ?? null,
            facts,
            // No count depends on the boot time itself, only on core packages that were updated after it.
            bootedAt: null,
            coreHistory: histories.get(hostId) ?? null,
            upgrades: pick(offered, upgradeIds),
            held: new Set(heldIds),
          }),
        }),
      );
    },
  };
}

/**
 * A text that changes whenever the stored advisories may have changed. It includes the id of the transaction that wrote
 * each feed's row, because a rolled-back transaction and the next one can produce the same epoch.
 */
async function loadEpoch(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ epoch: string }>(
    "SELECT coalesce(string_agg(concat_ws('@', id, epoch, xmin), ' ' ORDER BY id), '') AS epoch FROM feeds",
  );
  return rows[0]?.epoch ?? '';
}

/** The values of all `ids`, from the cache or from `load`; complete even if the cache cannot hold them all. */
async function fill<Id extends number, T extends object>(
  cache: LRUCache<Id, T>,
  ids: readonly Id[],
  load: (missing: readonly Id[]) => Promise<ReadonlyMap<Id, T>>,
): Promise<ReadonlyMap<Id, T>> {
  const found = new Map<Id, T>();
  const missing: Id[] = [];
  for (const id of ids) {
    const cached = cache.get(id);
    if (cached === undefined) missing.push(id);
    else found.set(id, cached);
  }
  if (missing.length > 0) {
    for (const [id, value] of await load(missing)) {
      cache.set(id, value);
      found.set(id, value);
    }
  }
  return found;
}

function pick<Id, T>(from: ReadonlyMap<Id, T>, ids: readonly Id[]): T[] {
  return ids.map((id) => {
    const value = from.get(id);
    if (value === undefined) throw new Error('a snapshot refers to a row that does not exist');
    return value;
  });
}

async function summariseVersions(
  client: pg.PoolClient,
  ids: readonly PackageVersionId[],
): Promise<ReadonlyMap<PackageVersionId, PackageSummary>> {
  const versions = await loadPackageVersions(client, ids);
  const statements = await loadMatchedStatements(client, ids);
  const closes = await loadLivePatchCves(client, versions);
  return new Map(
    versions.map((version) => {
      const { id } = version;
      return [
        id,
        summarisePackage(assessedPackage(version, statements.get(id) ?? [], closes.get(id))),
      ] as const;
    }),
  );
}

/** The counts that are stored for a host. */
export interface HostCounts
  extends FindingCounts,
    Omit<HostTotals, 'counts' | 'grounds' | 'judgedKernel' | 'disagreementCount'> {
  /** Bits of `actionGrounds`. */
  readonly grounds: number;
  /** The one kernel whose advisories are findings; null if no kernel is judged. */
  readonly judgedKernelId: PackageVersionId | null;
  readonly disagreements: number;
}

/** Counts a host for its `host_state` row. Agrees with assessStoredHost. */
function hostCountsOf(host: CountedHost): HostCounts {
  const { counts, grounds, judgedKernel, disagreementCount, ...totals } = countHost(host);
  return {
    ...counts,
    ...totals,
    grounds: bitsOfGrounds(grounds),
    judgedKernelId: judgedKernel,
    disagreements: disagreementCount,
  };
}
