import type { LagRules } from '@plimsoll/advisories';
import { groupBy, type HostId, type PackageVersionId, type UploadId } from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction, preparing } from '../../core/database.ts';
import { gatherCalls } from '../../core/gather-calls.ts';
import { holdAdvisories } from '../../core/locks.ts';
import { endPulls } from '../../fleet/ssh/pull-schedule.ts';
import { decodePackageSet } from '../../ingest/package-set.ts';
import { moveNewestDates } from '../../ingest/stored-repositories.ts';
import { matchNewVersions } from '../../knowledge/match-versions.ts';
import { loadUnmatched } from '../../knowledge/version-arrivals.ts';
import { beginHistories, type HostStep, ranBy, writeHostLedger } from '../history/host-ledger.ts';
import { type PackageStep, writePackageChanges } from '../history/package-changes.ts';
import { judgeHosts } from '../repositories/judge-hosts.ts';
import { exposuresDue } from './exposures-due.ts';
import type { CountedRow, HostToCount, MatchCounter } from './host-counter.ts';
import { type PriorState, type WaitingSnapshot, writeHostCounts, writeHostPlatform } from './host-state.ts';
import { withKernels, writePast } from './match-late.ts';

/** The result of matching some uploads. */
export interface MatchedUploads {
  readonly matched: readonly UploadId[];
  /** Uploads older than another upload of their host. */
  readonly superseded: readonly UploadId[];
}

/**
 * Matches parsed uploads, all or nothing per call: matches package versions that were never matched, counts the hosts,
 * and updates each host's state from its newest parsed snapshot. Includes all other waiting uploads of these hosts.
 * Idempotent; skips deleted hosts.
 */
export function matchUploads(
  db: Database,
  ids: readonly UploadId[],
  how: MatchedHow,
): Promise<MatchedUploads> {
  return how.counter.uploads.run(() => matchNow(db, ids, how));
}

interface MatchedHow {
  readonly counter: MatchCounter;
  readonly lag: LagRules;
}

async function matchNow(
  db: Database,
  ids: readonly UploadId[],
  { counter, lag }: MatchedHow,
): Promise<MatchedUploads> {
  await matchNewVersions(db, () => packageVersionsOf(db, ids), counter.versions);
  const { repositories, ...outcome } = await inPgTransaction(db.pool, async (connection) => {
    const tx = preparing(connection);
    await holdAdvisories(tx);
    let hosts = await lockHosts(tx, ids);
    const { waiting, lost } = await loadWaiting(tx, [...hosts.keys()]);
    // A snapshot that arrived after the query above may contain unmatched versions; its own job matches it.
    const { newest, overtaken, late } = partition(await withoutUnmatched(tx, waiting), hosts);
    const states = statesOf(late, hosts);
    if (late.length > 0) {
      await writePast(tx, { late, states }, counter);
      // The kernel of a state may be another one now.
      hosts = await lockHosts(tx, ids);
    }
    const onward = [...overtaken, ...newest];
    // Before counting: due dates can depend on when a host's history begins, and the changes distinguish an update of a
    // core package from a reinstallation.
    await beginHistories(tx, firstOf(onward, hosts));
    await writePackageChanges(tx, packageSteps(onward, hosts));
    const isNew = new Set(newest.map(({ hostId }) => hostId));
    // Whether a reboot is due depends on past changes, too.
    const toCount = [...newest, ...states.filter(({ hostId }) => !isNew.has(hostId))];
    const counted = await counter.count(tx, [...toCount, ...overtaken], { isUpload: true });
    const counts = counted.slice(0, toCount.length);
    const ran = counted.slice(toCount.length);
    await writeHostPlatform(tx, newest);
    await writeHostCounts(tx, toCount, counts);
    const kernels = overtaken.length === 0 ? [] : withKernels(overtaken, ran);
    const steps = hostSteps({ newest, counts }, kernels, hosts);
    await writeHostLedger(tx, steps, (ids) => counter.advisoriesOf(tx, ids));
    const matched = newest.map(({ snapshotId }) => snapshotId);
    await endUploads(tx, matched, 'matched');
    const superseded = [...[...overtaken, ...late].map(({ snapshotId }) => snapshotId), ...lost];
    await endUploads(tx, superseded, 'superseded');
    await endPulls(tx, [...matched, ...superseded]);
    const repositories = await judgeHosts(
      tx,
      newest.map(({ hostId }) => hostId),
      lag,
    );
    // Last, because a walk can hold these rows for a while.
    const withNewPast = states.map(({ hostId }) => hostId);
    if (withNewPast.length > 0) await exposuresDue(tx, withNewPast);
    return { matched, superseded, repositories };
  });
  // Outside the transaction, because all uploads of the fleet write these rows.
  await moveNewestDates(db.pool, repositories);
  return outcome;
}

/** What snapshots become, each list with the oldest of a host first. */
interface Partition {
  /** One of a host at most. */
  readonly newest: readonly WaitingSnapshot[];
  /** Newer than what their host's state was written from, but not its newest. */
  readonly overtaken: readonly WaitingSnapshot[];
  /** Older than that. */
  readonly late: readonly WaitingSnapshot[];
}

/** Sorts snapshots by what they become. @param waiting by host, the oldest first. */
function partition(waiting: readonly WaitingSnapshot[], hosts: ReadonlyMap<HostId, PriorState>): Partition {
  const newest = new Map<HostId, WaitingSnapshot>();
  const overtaken: WaitingSnapshot[] = [];
  const late: WaitingSnapshot[] = [];
  for (const snapshot of waiting) {
    const { hostId, sequence } = snapshot;
    const prior = hosts.get(hostId);
    if (BigInt(sequence) <= (prior?.sequence ?? 0n)) {
      late.push(snapshot);
      continue;
    }
    const older = newest.get(hostId);
    if (older !== undefined) overtaken.push(older);
    newest.set(hostId, snapshot);
  }
  return { newest: [...newest.values()], overtaken, late };
}

/** The first snapshots of new hosts. @param snapshots of each host the oldest first. */
function firstOf(
  snapshots: readonly WaitingSnapshot[],
  hosts: ReadonlyMap<HostId, PriorState>,
): readonly WaitingSnapshot[] {
  const first = new Map<HostId, WaitingSnapshot>();
  for (const snapshot of snapshots)
    if (hosts.get(snapshot.hostId)?.snapshotId == null && !first.has(snapshot.hostId))
      first.set(snapshot.hostId, snapshot);
  return [...first.values()];
}

/** The packages of hosts before and after snapshots. @param snapshots of each host in their order. */
function packageSteps(
  snapshots: readonly WaitingSnapshot[],
  hosts: ReadonlyMap<HostId, PriorState>,
): readonly PackageStep[] {
  const last = new Map<HostId, Uint8Array>();
  return snapshots.map(({ hostId, sequence, receivedAt, ids }) => {
    const before = last.get(hostId) ?? hosts.get(hostId)?.ids ?? null;
    last.set(hostId, ids);
    return { hostId, sequence, receivedAt, before, after: ids };
  });
}

/** What the ledger of hosts compares. @param stated the overtaken snapshots, with their kernels. @param counts begin with those of `newest`, in its order. */
function hostSteps(
  { newest, counts }: { readonly newest: readonly WaitingSnapshot[]; readonly counts: readonly CountedRow[] },
  stated: readonly (WaitingSnapshot & Pick<CountedRow, 'bootedKernelId'>)[],
  hosts: ReadonlyMap<HostId, PriorState>,
): readonly HostStep[] {
  const overtaken = groupBy(stated, ({ hostId }) => hostId);
  return newest.map(({ hostId, sequence, receivedAt, ids }, index) => {
    const before = hosts.get(hostId);
    let last = before?.bootedKernelId ?? null;
    const kernels = (overtaken.get(hostId) ?? []).map((snapshot) => {
      last = ranBy(snapshot.bootedKernelId, last);
      return { ...snapshot, bootedKernelId: last };
    });
    return {
      hostId,
      sequence,
      receivedAt,
      before: before?.ids == null ? null : { ids: before.ids, bootedKernelId: before.bootedKernelId },
      overtaken: kernels,
      after: { ids, bootedKernelId: ranBy(counts[index]?.bootedKernelId ?? null, last) },
    };
  });
}

/** The snapshots from which the states of hosts were last written, each host once. */
function statesOf(
  snapshots: readonly WaitingSnapshot[],
  hosts: ReadonlyMap<HostId, PriorState>,
): readonly HostToCount[] {
  return [...new Set(snapshots.map(({ hostId }) => hostId))].flatMap((hostId) => {
    const snapshotId = hosts.get(hostId)?.snapshotId ?? null;
    return snapshotId === null ? [] : [{ hostId, snapshotId }];
  });
}

/** Uploads looked up together. */
const uploadsPerLook = 100;

/** Finds the number of packages in an upload's snapshot; 0 if it has no snapshot. */
export function packageCounter({ pool }: Database): (id: UploadId) => Promise<number> {
  return gatherCalls({
    async run(ids) {
      const { rows } = await pool.query<{ id: UploadId; n: number }>({
        name: 'count-packages',
        text: `SELECT s.id, ps.n FROM snapshots s JOIN package_sets ps ON ps.id = s.set_id WHERE s.id = ANY($1::uuid[])`,
        values: [ids],
      });
      const counts = new Map(rows.map(({ id, n }) => [id, n]));
      return ids.map((id) => counts.get(id) ?? 0);
    },
    most: uploadsPerLook,
    runsAtOnce: 1,
  });
}

/** The versions of all waiting uploads of the hosts of some uploads. */
async function packageVersionsOf({ pool }: Database, ids: readonly UploadId[]): Promise<PackageVersionId[]> {
  const { rows } = await pool.query<{ ids: Uint8Array; kernel: PackageVersionId | null }>({
    name: 'find-versions-of-uploads',
    text: `SELECT ps.ids, s.running_kernel_id AS kernel
       FROM uploads u JOIN snapshots s ON s.id = u.id JOIN package_sets ps ON ps.id = s.set_id
       WHERE u.host_id IN (SELECT host_id FROM uploads WHERE id = ANY($1::uuid[])) AND u.state = 'parsed'`,
    values: [ids],
  });
  const versions = new Set(rows.flatMap((row) => decodePackageSet(row.ids)));
  for (const { kernel } of rows) if (kernel !== null) versions.add(kernel);
  return [...versions];
}

async function lockHosts(
  tx: PgTransaction,
  ids: readonly UploadId[],
): Promise<ReadonlyMap<HostId, PriorState>> {
  await tx.query(
    `SELECT FROM hosts WHERE id IN (SELECT host_id FROM uploads WHERE id = ANY($1::uuid[])) ORDER BY id FOR KEY SHARE`,
    [ids],
  );
  await tx.query(
    `SELECT FROM host_state WHERE host_id IN (SELECT host_id FROM uploads WHERE id = ANY($1::uuid[]))
     ORDER BY host_id FOR UPDATE`,
    [ids],
  );
  // In a statement of its own, which sees what others stored while this one waited for the lock.
  const { rows } = await tx.query<{
    host_id: HostId;
    snapshot_id: UploadId | null;
    sequence: string;
    ids: Uint8Array | null;
    booted: PackageVersionId | null;
  }>(
    `SELECT hs.host_id, hs.snapshot_id, hs.sequence, ps.ids, (SELECT c.booted_kernel_id FROM host_changes c WHERE c.host_id = hs.host_id
       ORDER BY c.sequence DESC LIMIT 1) AS booted
     FROM host_state hs LEFT JOIN package_sets ps ON ps.id = hs.set_id
     WHERE hs.host_id IN (SELECT host_id FROM uploads WHERE id = ANY($1::uuid[]))`,
    [ids],
  );
  return new Map(
    rows.map(({ host_id, snapshot_id, sequence, ids, booted }) => [
      host_id,
      { snapshotId: snapshot_id, sequence: BigInt(sequence), ids, bootedKernelId: booted },
    ]),
  );
}

/** The parsed uploads of hosts: their snapshots, by host and then in order, and those that were deleted while they waited. */
async function loadWaiting(
  tx: PgTransaction,
  hostIds: readonly HostId[],
): Promise<{ readonly waiting: readonly WaitingSnapshot[]; readonly lost: readonly UploadId[] }> {
  const { rows } = await tx.query<WaitingSnapshot & { readonly isKept: boolean }>(
    `SELECT u.host_id AS "hostId", u.id AS "snapshotId", u.sequence, s.received_at AS "receivedAt", ps.ids,
            s.running_kernel_id AS "runningKernelId", s.id IS NOT NULL AS "isKept"
     FROM uploads u LEFT JOIN snapshots s ON s.id = u.id LEFT JOIN package_sets ps ON ps.id = s.set_id
     WHERE u.host_id = ANY($1::uuid[]) AND u.state = 'parsed' ORDER BY u.host_id, u.sequence`,
    [hostIds],
  );
  return {
    waiting: rows.filter(({ isKept }) => isKept),
    lost: rows.filter(({ isKept }) => !isKept).map(({ snapshotId }) => snapshotId),
  };
}

async function withoutUnmatched(
  tx: PgTransaction,
  snapshots: readonly WaitingSnapshot[],
): Promise<readonly WaitingSnapshot[]> {
  const idsOf = (snapshot: WaitingSnapshot) => [
    ...decodePackageSet(snapshot.ids),
    ...(snapshot.runningKernelId === null ? [] : [snapshot.runningKernelId]),
  ];
  const unmatched = new Set((await loadUnmatched(tx)).flatMap(({ ids }) => ids));
  if (unmatched.size === 0) return snapshots;
  return snapshots.filter((snapshot) => !idsOf(snapshot).some((id) => unmatched.has(id)));
}

async function endUploads(
  tx: PgTransaction,
  ids: readonly UploadId[],
  state: 'matched' | 'superseded',
): Promise<void> {
  if (ids.length === 0) return;
  await tx.query('UPDATE uploads SET state = $2, ended_at = now() WHERE id = ANY($1::uuid[])', [ids, state]);
}
