import {
  assessedPackage,
  type CoreHistory,
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
  type Lifecycle,
  type PackageVersionId,
  type UploadId,
} from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { decodePackageSet } from '../interning/package-set.ts';
import { type CountedSnapshot, CountedSnapshots, type SnapshotContents } from './counted-snapshots.ts';
import {
  coreQuestion,
  loadCoreHistories,
  loadLifecycles,
  loadLivePatchCves,
  loadOffers,
  toHostFacts,
} from './host-facts.ts';
import { loadPackageVersions, readVersionChanges } from './package-versions.ts';
import { loadMatchedStatements } from './statements.ts';
import { VersionSummaries } from './version-summaries.ts';

/** A host to count by one of its stored snapshots. */
export interface HostToCount {
  readonly hostId: HostId;
  readonly snapshotId: UploadId;
}

/**
 * Counts hosts. Keeps what it knows of package versions, snapshots, updates and equal hosts between calls: use one
 * counter per process and database.
 */
export interface HostCounter {
  /** Returns counts in the order of `hosts`. The caller holds the lock of holdAdvisories or changeAdvisories. */
  count(client: pg.PoolClient, hosts: readonly HostToCount[]): Promise<readonly HostCounts[]>;
}

/** Makes a counter that knows nothing yet. */
export function createHostCounter(): HostCounter {
  return new CachingCounter();
}

/** Entries of the caches of updates and of counted hosts. */
const cachedUpgrades = 200_000;
const cachedCounts = 20_000;
/** Characters of the texts of each of these caches: a host can send updates, and holds, with megabytes of them. */
const cachedCharacters = 64 * 1024 * 1024;

/** A host with everything that its counts depend on, except what its packages and updates say. */
interface KnownHost extends HostToCount {
  readonly snapshot: CountedSnapshot;
  readonly lifecycle: Lifecycle | null;
  /** Equal for hosts with equal counts; core histories aside. */
  readonly key: string;
}

class CachingCounter implements HostCounter {
  private readonly versions = new VersionSummaries();
  private readonly snapshots = new CountedSnapshots();
  private readonly upgrades = new LRUCache<number, HostUpgrade>({
    max: cachedUpgrades,
    maxSize: cachedCharacters,
    sizeCalculation: charactersOf,
  });
  private readonly counts = new LRUCache<string, HostCounts>({
    max: cachedCounts,
    maxSize: cachedCharacters,
    sizeCalculation: (_counts, key) => key.length,
  });
  /** The newest change of package versions that the caches follow; null: none is known. */
  private seen: string | null = null;

  async count(client: pg.PoolClient, hosts: readonly HostToCount[]): Promise<readonly HostCounts[]> {
    await this.followChanges(client);
    const known = await this.identify(client, hosts);
    const distinct = new Map<string, KnownHost>();
    const found = new Map<string, HostCounts>();
    for (const host of known) {
      const counts = this.counts.get(host.key);
      if (counts === undefined) distinct.set(host.key, host);
      else found.set(host.key, counts);
    }
    for (const [key, counts] of await this.countDistinct(client, [...distinct.values()]))
      found.set(key, counts);
    return known.map(({ key }) => {
      const counts = found.get(key);
      if (counts === undefined) throw new Error('a host was not counted');
      return counts;
    });
  }

  private async identify(
    client: pg.PoolClient,
    hosts: readonly HostToCount[],
  ): Promise<readonly KnownHost[]> {
    const snapshots = await this.snapshots.load(
      client,
      hosts.map(({ snapshotId }) => snapshotId),
    );
    const lifecycles = await loadLifecycles(
      client,
      [...snapshots.values()].map(({ release }) => release),
    );
    const texts = new Map(
      [...lifecycles].map(([release, lifecycle]) => [release, JSON.stringify(lifecycle)]),
    );
    return hosts.map((host) => {
      const snapshot = valueAt(snapshots, host.snapshotId);
      const { release, setId, heldIds, runningKernelId, facts, upgrades, hasHistory } = snapshot;
      const parts = [release, setId, heldIds, runningKernelId, facts, upgrades, texts.get(release)];
      // What changed since a host booted is of this host alone.
      if (hasHistory) parts.push(host.hostId);
      return { ...host, snapshot, lifecycle: lifecycles.get(release) ?? null, key: parts.join(' ') };
    });
  }

  private async countDistinct(
    client: pg.PoolClient,
    hosts: readonly KnownHost[],
  ): Promise<ReadonlyMap<string, HostCounts>> {
    if (hosts.length === 0) return new Map();
    const sets = await loadSets(client, [...new Set(hosts.map(({ snapshot }) => snapshot.setId))]);
    const contents = await this.snapshots.contentsOf(
      client,
      new Map(hosts.map(({ snapshotId, snapshot }) => [snapshotId, snapshot])),
    );
    const offers = await this.loadUpgrades(client, contents);
    const questions = hosts.flatMap(({ hostId, snapshot }) => {
      const question = snapshot.hasHistory
        ? coreQuestion(hostId, valueAt(contents.facts, snapshot.facts))
        : null;
      return question ?? [];
    });
    const histories = await loadCoreHistories(client, questions);
    const kernels = hosts.flatMap(({ snapshot }) => snapshot.runningKernelId ?? []);
    // Last, because what it loads may be forgotten while this function waits.
    await this.versions.load([kernels, ...sets.values()], (missing) => summariseVersions(client, missing));
    return new Map(
      hosts.map((host) => {
        const history = histories.get(host.hostId) ?? null;
        const counts = this.countOne(host, { sets, contents, offers, history });
        // The history of a host changes without a new snapshot.
        if (!host.snapshot.hasHistory) this.counts.set(host.key, counts);
        return [host.key, counts] as const;
      }),
    );
  }

  private countOne(
    { snapshot, lifecycle }: KnownHost,
    known: {
      readonly sets: ReadonlyMap<number, readonly PackageVersionId[]>;
      readonly contents: SnapshotContents;
      readonly offers: ReadonlyMap<number, OfferList>;
      readonly history: CoreHistory | null;
    },
  ): HostCounts {
    const { release, setId, heldIds, runningKernelId } = snapshot;
    const held = new Set(heldIds);
    const { upgrades, names } = valueAt(known.offers, snapshot.upgrades);
    return hostCountsOf({
      packages: this.versions.select(valueAt(known.sets, setId), { names, held }),
      runningKernel: runningKernelId === null ? null : this.versions.get(runningKernelId),
      facts: toHostFacts({
        release,
        lifecycle,
        facts: valueAt(known.contents.facts, snapshot.facts),
        // No count depends on the boot time itself, only on core packages that were updated after it.
        bootedAt: null,
        coreHistory: known.history,
        upgrades,
        held,
      }),
    });
  }

  /** Forgets what changed since the last call. */
  private async followChanges(client: pg.PoolClient): Promise<void> {
    const { newest, versions } = await readVersionChanges(client, this.seen);
    if (versions !== null && newest === this.seen) return;
    if (versions === null) this.versions.clear();
    else this.versions.forget(versions);
    this.counts.clear();
    this.seen = newest;
  }

  private async loadUpgrades(
    client: pg.PoolClient,
    { upgrades: lists }: SnapshotContents,
  ): Promise<ReadonlyMap<number, OfferList>> {
    const missing = new Set<number>();
    const found = new Map<number, HostUpgrade>();
    for (const ids of lists.values())
      for (const id of ids) {
        const known = this.upgrades.get(id);
        if (known === undefined) missing.add(id);
        else found.set(id, known);
      }
    if (missing.size > 0)
      for (const [id, offer] of await loadOffers(client, [...missing])) {
        this.upgrades.set(id, offer);
        found.set(id, offer);
      }
    return new Map(
      [...lists].map(([number, ids]) => [number, this.offerList(ids.map((id) => valueAt(found, id)))]),
    );
  }

  private offerList(upgrades: readonly HostUpgrade[]): OfferList {
    const flagged = new Set(upgrades.flatMap(({ upgrade }) => (upgrade.isSecurity ? [upgrade.name] : [])));
    return { upgrades, names: [...flagged].map((name) => this.versions.numberOf(name)) };
  }
}

/** A host's offered updates, and the numbers of the packages whose updates its package manager marks as security. */
interface OfferList {
  readonly upgrades: readonly HostUpgrade[];
  readonly names: readonly number[];
}

/** About the number of characters of an update's texts. */
function charactersOf({ upgrade: { repository, suite, origin, advisoryIds } }: HostUpgrade): number {
  const texts = [repository, suite, origin, ...advisoryIds];
  return texts.reduce((sum, text) => sum + text.length + 1, shortTexts);
}

/** The usual characters of an update's names and versions. */
const shortTexts = 100;

function valueAt<Id, T>(from: ReadonlyMap<Id, T>, id: Id): T {
  const value = from.get(id);
  if (value === undefined) throw new Error('a snapshot refers to a row that does not exist');
  return value;
}

async function loadSets(
  client: pg.PoolClient,
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly PackageVersionId[]>> {
  const { rows } = await client.query<{ id: number; ids: Uint8Array }>(
    'SELECT id, ids FROM package_sets WHERE id = ANY($1::int[])',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, decodePackageSet(row.ids)]));
}

async function summariseVersions(
  client: pg.PoolClient,
  ids: readonly PackageVersionId[],
): Promise<readonly PackageSummary[]> {
  const versions = await loadPackageVersions(client, ids);
  const statements = await loadMatchedStatements(client, ids);
  const closes = await loadLivePatchCves(client, versions);
  return versions.map((version) =>
    summarisePackage(assessedPackage(version, statements.get(version.id) ?? [], closes.get(version.id))),
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
