import type { DueState, HostId, PackageVersionId, Release, Upgrade, UploadId } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import { decodePackageSet } from '../interning/package-set.ts';
import type { StoredFacts } from '../parsed-uploads.ts';
import { coreQuestion, loadCoreHistories, type StoredCoreHistory } from './core-history.ts';
import {
  loadMatchedStatements,
  loadPackageVersions,
  type Statement,
  type StoredPackageVersion,
} from './statements.ts';
import { loadLifecycles, type StoredLifecycle } from './stored-lifecycles.ts';

/** What is stored of a host's assessment. */
export interface HostCounts {
  readonly critical: number;
  readonly important: number;
  readonly moderate: number;
  readonly low: number;
  readonly unrated: number;
  readonly unfixed: number;
  readonly knownExploited: number;
  readonly unknown: number;
  readonly availableUpdates: number;
  readonly updatesKnown: boolean;
  readonly servicesDue: number;
  readonly rebootState: DueState;
  readonly restartState: DueState;
  /** Bits of `actionGrounds`. */
  readonly grounds: number;
  /** The one kernel whose advisories are findings; null where none is judged. */
  readonly judgedKernelId: PackageVersionId | null;
  readonly disagreements: number;
  /** When the host's support ends, what its subscription adds included; null where its release alone decides. */
  readonly supportEndsAt: Date | null;
}

/** A snapshot's packages and facts, with what is known of each package (`P`) and each offered update (`U`). */
export interface HostToCount<P, U> {
  readonly release: Release;
  /** How long a feed says that the release is supported; null where none says. */
  readonly lifecycle: StoredLifecycle | null;
  readonly facts: StoredFacts;
  readonly packages: readonly P[];
  readonly heldIds: ReadonlySet<PackageVersionId>;
  readonly runningKernel: P | null;
  readonly upgrades: readonly U[];
  /** Null where nothing about reboots depends on it. */
  readonly coreHistory: StoredCoreHistory | null;
}

/** The rules of counting a host. Pure; see @plimsoll/advisories. */
export interface CountRule<P, U> {
  /** What is known of a package version, whichever host has it. */
  summarise(version: StoredPackageVersion, statements: readonly Statement[]): P;
  /** What is known of an offered update, whichever host has it. */
  upgrade(release: Release, upgrade: Upgrade): U;
  count(host: HostToCount<P, U>): HostCounts;
}

/** A snapshot as it is stored, ready to be counted. */
export interface CountableSnapshot {
  readonly hostId: HostId;
  readonly snapshotId: UploadId;
  readonly sequence: string;
  readonly receivedAt: Date;
  readonly release: Release;
  readonly releaseId: number;
  readonly facts: StoredFacts;
  readonly setId: number;
  readonly ids: Uint8Array;
  readonly upgradeIds: readonly number[];
  readonly heldIds: readonly PackageVersionId[];
  readonly runningKernelId: PackageVersionId | null;
}

/** The select list of a `CountableSnapshot`, of `snapshots s`, `package_sets ps` and `releases r`. */
export const countableColumns = `s.host_id AS "hostId", s.id AS "snapshotId", s.sequence, s.received_at AS "receivedAt",
  r.name AS release, s.release_id AS "releaseId", s.facts, s.set_id AS "setId", ps.ids, s.upgrade_ids AS "upgradeIds",
  s.held_ids AS "heldIds", s.running_kernel_id AS "runningKernelId"`;

/** Counts hosts, keeping what is known of package versions and updates between calls. */
export interface HostCounter {
  /** Counts in the order of `snapshots`. The caller holds the advisories still. */
  count(client: pg.PoolClient, snapshots: readonly CountableSnapshot[]): Promise<readonly HostCounts[]>;
}

/** Entries kept per kind. */
const cachedEntries = 200_000;

/** The counter of one process. */
export function createHostCounter<P extends object, U extends object>(rule: CountRule<P, U>): HostCounter {
  const packages = new LRUCache<PackageVersionId, P>({ max: cachedEntries });
  const upgrades = new LRUCache<number, U>({ max: cachedEntries });
  let epoch = '';
  return {
    async count(client, snapshots) {
      const current = await loadEpoch(client);
      if (current !== epoch) packages.clear();
      epoch = current;
      const sets = snapshots.map((snapshot) => decodePackageSet(snapshot.ids));
      const wanted = new Set(sets.flat());
      for (const { runningKernelId } of snapshots) if (runningKernelId !== null) wanted.add(runningKernelId);
      const known = await fill(packages, [...wanted], (ids) => summariseVersions(client, ids, rule));
      const offered = await fill(upgrades, [...new Set(snapshots.flatMap((s) => s.upgradeIds))], (ids) =>
        loadUpgrades(client, ids, rule),
      );
      const histories = await loadCoreHistories(
        client,
        snapshots.flatMap(({ hostId, facts }) => coreQuestion(hostId, facts) ?? []),
      );
      const lifecycles = await loadLifecycles(
        client,
        snapshots.map(({ release }) => release),
      );
      return snapshots.map((snapshot, index) =>
        rule.count({
          release: snapshot.release,
          lifecycle: lifecycles.get(snapshot.release) ?? null,
          facts: snapshot.facts,
          packages: pick(known, sets[index] ?? []),
          heldIds: new Set(snapshot.heldIds),
          runningKernel:
            snapshot.runningKernelId === null ? null : (known.get(snapshot.runningKernelId) ?? null),
          upgrades: pick(offered, snapshot.upgradeIds),
          coreHistory: histories.get(snapshot.hostId) ?? null,
        }),
      );
    },
  };
}

/**
 * What feeds say now, as a text that differs whenever it may: by the transaction that wrote each feed as well, so that
 * what was counted in one that was rolled back is never taken for what the next one of the same number says.
 */
async function loadEpoch(client: pg.PoolClient): Promise<string> {
  const { rows } = await client.query<{ epoch: string }>(
    "SELECT coalesce(string_agg(concat_ws('@', id, epoch, xmin), ' ' ORDER BY id), '') AS epoch FROM feeds",
  );
  return rows[0]?.epoch ?? '';
}

/** Everything about `ids`, from the cache or else loaded; not only what the cache has room for. */
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
    if (value === undefined) throw new Error('a snapshot refers to a row that is not there');
    return value;
  });
}

async function summariseVersions<P, U>(
  client: pg.PoolClient,
  ids: readonly PackageVersionId[],
  rule: CountRule<P, U>,
): Promise<ReadonlyMap<PackageVersionId, P>> {
  const versions = await loadPackageVersions(client, ids);
  const statements = await loadMatchedStatements(client, ids);
  return new Map(
    versions.map(
      (version) => [version.id, rule.summarise(version, statements.get(version.id) ?? [])] as const,
    ),
  );
}

async function loadUpgrades<P, U>(
  client: pg.PoolClient,
  ids: readonly number[],
  rule: CountRule<P, U>,
): Promise<ReadonlyMap<number, U>> {
  const { rows } = await client.query<Upgrade & { id: number; release: Release }>(
    `SELECT ${upgradeColumns} FROM upgrades u JOIN releases r ON r.id = u.release_id WHERE u.id = ANY($1::int[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, rule.upgrade(row.release, row)] as const));
}

/** The select list that makes rows of `upgrades u` with `releases r` an `Upgrade` with id and release. */
export const upgradeColumns = `u.id, r.name AS release, u.name, u.architecture, u.installed_version AS "installedVersion",
  u.candidate_version AS "candidateVersion", u.repository, u.is_security AS "isSecurity", u.held, u.phased,
  u.source_name AS "sourceName", u.source_version AS "sourceVersion", u.suite, u.origin,
  u.advisory_ids AS "advisoryIds"`;
