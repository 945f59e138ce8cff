import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  AssessedPackage,
  BootedKernel,
  CoreHistory,
  DuePolicy,
  FindingCounts,
  HostDue,
  HostSums,
  HostTotals,
  PackageSummary,
} from '@plimsoll/advisories';
import type { Lifecycle, PackageVersionId } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { Precedence } from '../../core/precedence.ts';
import { decodePackageSet } from '../../ingest/package-set.ts';
import { loadLifecycles } from '../../knowledge/feeds/release-lifecycles.ts';
import { loadSubjects, piecesOf } from '../../knowledge/load-subjects.ts';
import { type KnownState, VersionMemory } from '../../knowledge/version-memory.ts';
import { type DueTimes, loadDueTimes, loadFirstReportDays, timedHosts } from '../due/host-due-times.ts';
import type { VersionAdvisories } from '../history/host-ledger.ts';
import { digestOf } from './counted-input.ts';
import {
  type CountedSnapshot,
  CountedSnapshots,
  type HostToCount,
  type SnapshotContents,
} from './counted-snapshots.ts';
import type { EncodedFindingList } from './finding-list.ts';
import { coreQuestion, loadCoreHistories, toHostFacts } from './host-facts.ts';
import { type HostTerms, HostTermsReader, type LoadedTerms } from './host-terms.ts';
import { type OfferList, OfferLists } from './offer-lists.ts';
import { PartCounter } from './part-counter.ts';
import { type WaivedByTerms, WaivedSummaries } from './waived-summaries.ts';

export type { HostToCount } from './counted-snapshots.ts';

/** What counting a host gives. Hosts with equal input have the same object. */
export interface Counted {
  readonly counts: HostCounts;
  readonly findings: EncodedFindingList;
  readonly bootedKernelId: BootedKernel;
}

/** A counted host. */
export interface CountedRow extends Counted {
  /** The value for host_state.counted_input. */
  readonly input: Buffer;
}

/**
 * Counts hosts. Keeps what it knows of package versions, snapshots, updates and equal hosts between calls: use one
 * counter per process and database.
 */
export interface HostCounter {
  /**
   * Returns counts in the order of `hosts`. The caller holds the lock of holdAdvisories or changeAdvisories.
   * @param isUpload whether the caller matches uploads, so that counting does not wait for these.
   */
  count(
    client: pg.PoolClient,
    hosts: readonly HostToCount[],
    options?: { readonly isUpload?: boolean },
  ): Promise<readonly CountedRow[]>;
}

/** A counter for matching uploads. */
export interface MatchCounter extends HostCounter {
  /** What it knows of package versions; matching new ones uses it, too. */
  readonly versions: VersionMemory;
  /** Package versions by id, for the ledger of hosts. The caller holds the lock as for `count`, which it called before. */
  advisoriesOf(
    client: pg.PoolClient,
    ids: Iterable<PackageVersionId>,
  ): Promise<ReadonlyMap<PackageVersionId, VersionAdvisories>>;
  /** Matching uploads goes before counting other hosts. */
  readonly uploads: Precedence;
}

/** Makes a counter that knows nothing yet. @param policy counts by this policy of due dates instead of the one in force */
export function createHostCounter(policy?: DuePolicy): MatchCounter {
  return new CachingCounter(policy);
}

/** Estimated bytes of the counts kept between calls, and of those of one host without its findings. */
const cachedBytes = 16 * 1024 * 1024;
const bytesOfCounts = 600;

/** Hosts counted before the process does other work, such as matching an upload: some milliseconds. */
const hostsPerTurn = 50;

/** A host with everything that its counts depend on, except what its packages and updates say. */
interface KnownHost extends HostToCount {
  readonly snapshot: CountedSnapshot;
  readonly lifecycle: Lifecycle | null;
  readonly terms: HostTerms;
  /** Equal for hosts with equal counts; core histories aside. */
  readonly key: string;
}

class CachingCounter implements MatchCounter {
  readonly versions = new VersionMemory();
  readonly uploads = new Precedence();
  private readonly parts = new PartCounter();
  private readonly terms: HostTermsReader;
  private readonly waived = new WaivedSummaries();
  private readonly snapshots = new CountedSnapshots();
  private readonly offers = new OfferLists();
  private readonly counts = new LRUCache<string, Counted>({
    maxSize: cachedBytes,
    sizeCalculation: ({ findings }, key) => bytesOfCounts + findings.bytes.length + 2 * key.length,
  });
  /** Of what `waived` and `counts` are kept. */
  private state: KnownState | null = null;

  constructor(policy?: DuePolicy) {
    this.terms = new HostTermsReader(policy);
  }

  async count(
    client: pg.PoolClient,
    hosts: readonly HostToCount[],
    { isUpload = false }: { readonly isUpload?: boolean } = {},
  ): Promise<readonly CountedRow[]> {
    if (!isUpload) await this.uploads.giveWay();
    await this.versions.follow(client);
    const terms = await this.terms.load(
      client,
      hosts.map(({ hostId }) => hostId),
    );
    this.forgetOther(this.versions.followPolicy(terms.dueNow !== null));
    const known = await this.identify(client, hosts, terms);
    const distinct = new Map<string, KnownHost>();
    const found = new Map<string, Counted>();
    for (const host of known) {
      const counts = this.counts.get(host.key);
      if (counts === undefined || isOver(counts, terms.dueNow)) distinct.set(host.key, host);
      else found.set(host.key, counts);
    }
    for (const [key, counts] of await this.countDistinct(client, [...distinct.values()], terms, isUpload))
      found.set(key, counts);
    return known.map(({ key, snapshot: { input } }) => {
      const counts = found.get(key);
      if (counts === undefined) throw new Error('a host was not counted');
      return { ...counts, input };
    });
  }

  private async identify(
    client: pg.PoolClient,
    hosts: readonly HostToCount[],
    termsOf: LoadedTerms,
  ): Promise<readonly KnownHost[]> {
    const snapshots = await this.snapshots.load(client, hosts);
    const lifecycles = await loadLifecycles(
      client,
      [...snapshots.values()].map(({ release }) => release),
    );
    const stated = new Map(
      [...lifecycles].map(([release, lifecycle]) => [release, digestOf(JSON.stringify(lifecycle))]),
    );
    const dayOf = await loadFirstReportDays(client, hosts, ({ hostId }) => termsOf.of(hostId).due);
    return hosts.map(({ hostId, snapshotId }) => {
      const snapshot = valueAt(snapshots, snapshotId);
      const { release, setId, facts, upgrades } = snapshot;
      const terms = termsOf.of(hostId);
      const own = dependsOnHistory({ snapshot, terms }) ? hostId : dayOf(hostId);
      const key = `${release} ${setId} ${facts} ${upgrades} ${stated.get(release) ?? ''} ${own} ${terms.digest}`;
      return { hostId, snapshotId, snapshot, lifecycle: lifecycles.get(release) ?? null, terms, key };
    });
  }

  private async countDistinct(
    client: pg.PoolClient,
    hosts: readonly KnownHost[],
    terms: LoadedTerms,
    isUpload: boolean,
  ): Promise<ReadonlyMap<string, Counted>> {
    if (hosts.length === 0) return new Map();
    const sets = await loadSets(client, [...new Set(hosts.map(({ snapshot }) => snapshot.setId))]);
    const contents = await this.snapshots.contentsOf(
      client,
      new Map(hosts.map(({ snapshotId, snapshot }) => [snapshotId, snapshot])),
    );
    const offers = await this.offers.load(client, contents.upgrades);
    const questions = hosts.flatMap(({ hostId, snapshot }) => {
      const question = snapshot.hasHistory
        ? coreQuestion(hostId, valueAt(contents.facts, snapshot.facts).facts)
        : null;
      return question ?? [];
    });
    const histories = await loadCoreHistories(client, questions);
    const times = await loadDueTimes(
      client,
      timedHosts(hosts, ({ terms: own }) => own.due),
    );
    const counted = new Map<string, Counted>();
    for (const some of piecesOf(hosts, hostsPerTurn)) {
      await (isUpload ? nextTurn() : this.uploads.giveWay());
      const installed = new Map(
        some.map(({ snapshot: { setId } }) => [setId, decodePackageSet(valueAt(sets, setId))]),
      );
      const kernels = some.flatMap(
        ({ snapshot }) => valueAt(contents.facts, snapshot.facts).runningKernelId ?? [],
      );
      const waived = await this.loadWaived(client, some, { installed, contents, terms });
      await this.loadVersions(client, [kernels, ...installed.values()]);
      // Without waiting, because what was loaded may be forgotten meanwhile.
      for (const host of some) {
        const history = histories.get(host.hostId) ?? null;
        const due = this.dueOf(host, terms.dueNow, times);
        const counts = this.countOne(host, { installed, waived, contents, offers, history, due });
        // The history of a host changes without a new snapshot.
        if (!dependsOnHistory(host)) this.counts.set(host.key, counts);
        counted.set(host.key, counts);
      }
    }
    return counted;
  }

  /** What is waived of the packages of hosts, by their terms. */
  private async loadWaived(
    client: pg.PoolClient,
    hosts: readonly KnownHost[],
    {
      installed,
      contents,
      terms: { waivers },
    }: {
      readonly installed: ReadonlyMap<number, readonly PackageVersionId[]>;
      readonly contents: SnapshotContents;
      readonly terms: LoadedTerms;
    },
  ): Promise<WaivedByTerms> {
    const questions = hosts.flatMap(({ terms, snapshot }) => {
      if (terms.waivers === undefined) return [];
      const { runningKernelId } = valueAt(contents.facts, snapshot.facts);
      const ids = valueAt(installed, snapshot.setId);
      return [{ terms, ids: runningKernelId === null ? ids : [...ids, runningKernelId] }];
    });
    if (questions.length === 0) return new Map();
    return this.waived.load(client, questions, waivers, async (ids) => {
      const subjects: AssessedPackage[] = [];
      for await (const subject of loadSubjects(client, ids, this.versions.isDated)) subjects.push(subject);
      return subjects;
    });
  }

  private countOne(
    { snapshot, lifecycle, terms }: KnownHost,
    known: {
      readonly installed: ReadonlyMap<number, readonly PackageVersionId[]>;
      readonly waived: WaivedByTerms;
      readonly contents: SnapshotContents;
      readonly offers: ReadonlyMap<string, OfferList>;
      readonly history: CoreHistory | null;
      readonly due: HostDue | undefined;
    },
  ): Counted {
    const { release, setId } = snapshot;
    const { facts, heldIds, runningKernelId, kernelDigest } = valueAt(known.contents.facts, snapshot.facts);
    const offers = valueAt(known.offers, snapshot.upgrades);
    const hostFacts = toHostFacts({
      release,
      lifecycle,
      facts,
      // No count depends on the boot time itself, only on core packages that were updated after it.
      bootedAt: null,
      coreHistory: known.history,
      upgrades: offers.all.upgrades,
      held: new Set(heldIds),
    });
    const waived = known.waived.get(terms.digest) ?? nothingWaived;
    const { flagged } = offers;
    const ids = valueAt(known.installed, setId);
    const { sums, findings } = this.parts.count({
      packages: this.versions.select(ids, { flagged, held: hostFacts.held, waived }),
      runningKernel:
        runningKernelId === null ? null : (waived.get(runningKernelId) ?? this.versions.get(runningKernelId)),
      facts: known.due === undefined ? hostFacts : { ...hostFacts, due: known.due },
      offers,
      context: `${release} ${hostFacts.updates} ${JSON.stringify(hostFacts.subscription)} ${terms.digest}`,
      kernelFacts: kernelDigest,
    });
    return { counts: countsOf(sums), findings, bootedKernelId: sums.bootedKernel };
  }

  private dueOf(
    { hostId, terms: { due } }: KnownHost,
    now: number | null,
    times: DueTimes,
  ): HostDue | undefined {
    if (due === undefined || now === null) return undefined;
    return { terms: due.terms, now, ...times.of(hostId) };
  }

  async advisoriesOf(
    client: pg.PoolClient,
    ids: Iterable<PackageVersionId>,
  ): Promise<ReadonlyMap<PackageVersionId, PackageSummary>> {
    const wanted = [...ids];
    await this.loadVersions(client, [wanted]);
    return new Map(wanted.map((id) => [id, this.versions.get(id)]));
  }

  private loadVersions(client: pg.PoolClient, sets: readonly Iterable<PackageVersionId>[]): Promise<void> {
    return this.versions.load(sets, (missing) => loadSubjects(client, missing, this.versions.isDated));
  }

  /** Forgets what is kept of another state of knowledge. */
  private forgetOther(state: KnownState): void {
    if (state === this.state) return;
    this.state = state;
    this.parts.forgetKernels();
    this.waived.clear();
    this.counts.clear();
  }
}

/** What changed since a host booted is of this host alone, as is when it got its packages. */
function dependsOnHistory({ snapshot, terms }: Pick<KnownHost, 'snapshot' | 'terms'>): boolean {
  return snapshot.hasHistory || terms.due?.byInstallation === true;
}

function valueAt<Id, T>(from: ReadonlyMap<Id, T>, id: Id): T {
  const value = from.get(id);
  if (value === undefined) throw new Error('a snapshot refers to a row that does not exist');
  return value;
}

/** Encoded sets by id: decoded, those of many hosts would be old before they are used. */
async function loadSets(
  client: pg.PoolClient,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Uint8Array>> {
  const { rows } = await client.query<{ id: number; ids: Uint8Array }>(
    'SELECT id, ids FROM package_sets WHERE id = ANY($1::int[])',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row.ids]));
}

/** Whether a due date has come since a host was counted. */
function isOver({ counts: { nextDueAt } }: Counted, now: number | null): boolean {
  return nextDueAt !== null && now !== null && nextDueAt.getTime() <= now;
}

/** The counts that are stored for a host. */
export interface HostCounts
  extends FindingCounts,
    Omit<HostTotals, 'counts' | 'grounds' | 'bootedKernel' | 'judgedKernel' | 'disagreementCount'> {
  /** Bits of `actionGrounds`. */
  readonly grounds: number;
  /** The one kernel whose advisories are findings; null if no kernel is judged. */
  readonly judgedKernelId: PackageVersionId | null;
  readonly disagreements: number;
}

/** The totals of a host in the form of its `host_state` row. Without spreading objects: it is called for every host. */
function countsOf(sums: HostSums): HostCounts {
  const { counts } = sums;
  return {
    critical: counts.critical,
    important: counts.important,
    moderate: counts.moderate,
    low: counts.low,
    unrated: counts.unrated,
    unfixed: counts.unfixed,
    unfixedCritical: counts.unfixedCritical,
    unfixedImportant: counts.unfixedImportant,
    unfixedModerate: counts.unfixedModerate,
    unfixedLow: counts.unfixedLow,
    unfixedUnrated: counts.unfixedUnrated,
    knownExploited: counts.knownExploited,
    waived: counts.waived,
    unknown: counts.unknown,
    availableUpdates: sums.availableUpdates,
    phasedUpdates: sums.phasedUpdates,
    updatesKnown: sums.updatesKnown,
    brokenPackages: sums.brokenPackages,
    servicesDue: sums.servicesDue,
    rebootState: sums.rebootState,
    restartState: sums.restartState,
    grounds: sums.grounds,
    judgedKernelId: sums.judgedKernel,
    disagreements: sums.disagreementCount,
    supportEndsAt: sums.supportEndsAt,
    dueAt: sums.dueAt,
    overdue: sums.overdue,
    nextDueAt: sums.nextDueAt,
  };
}

const nothingWaived: ReadonlyMap<PackageVersionId, PackageSummary> = new Map();
