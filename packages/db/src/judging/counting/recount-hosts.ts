import { setTimeout as delay } from 'node:timers/promises';
import type { HostId, UploadId } from '@plimsoll/model';
import type pg from 'pg';
import { type Database, type PgTransaction, runTransaction } from '../../core/database.ts';
import { holdAdvisories } from '../../core/locks.ts';
import { heldOf } from '../../ingest/package-set.ts';
import type { SetRange } from '../../ingest/set-numbers.ts';
import { findSetIds } from '../../ingest/set-postings.ts';
import { correctBootedKernels } from '../history/host-ledger.ts';
import { exposuresDue } from './exposures-due.ts';
import type { CountedRow, HostCounter } from './host-counter.ts';
import { isStored, storedJudgedKernel, writeHostCounts } from './host-state.ts';
import { type CountedBefore, loadHostsToCount } from './load-hosts-to-count.ts';
import {
  type ChangedVersions,
  changedVersionsOf,
  claimPiece,
  endRecount,
  planRecount,
  type RecountPiece,
  releasePiece,
} from './recount-pieces.ts';

/** Hosts changed per transaction. Uploads can be matched between two transactions. */
const hostsPerTransaction = 500;
/** Pieces that one process counts at a time: while one waits for the database, the other computes. */
const lanes = 2;

/** What a process counts with one counter: an import and the job of the scheduler count in the same process. */
interface Counting {
  /** Lanes that count now. */
  lanes: number;
  /** Hosts counted so far. */
  hosts: number;
}
const countings = new WeakMap<HostCounter, Counting>();

function countingWith(counter: HostCounter): Counting {
  const counting = countings.get(counter) ?? { lanes: 0, hosts: 0 };
  countings.set(counter, counting);
  return counting;
}

/** The pause before looking again whether other processes have counted their pieces. */
const lookAgainMs = 50;

/** How to count hosts. */
export interface Recount {
  readonly counter: HostCounter;
  /** Stops between two transactions; the rest remains to be counted. */
  readonly signal?: AbortSignal;
}

/**
 * Recounts the hosts of every change of advisories that is not counted yet, also of those that a process left when it
 * died. Shares the work with other calls and processes, and returns when all is counted. Returns the number of hosts that
 * this process counted meanwhile, whatever asked for it. Uploads are matched meanwhile: a host whose upload comes between is
 * counted twice, with the same result.
 */
export async function recountChangedHosts(db: Database, recount: Recount): Promise<number> {
  const counting = countingWith(recount.counter);
  const before = counting.hosts;
  for (;;) {
    await helpRecount(db, recount);
    if (await endRecount(db)) return counting.hosts - before;
    await delay(lookAgainMs, undefined, { signal: recount.signal });
  }
}

/** Recounts hosts until no piece is left that nothing else counts, in free lanes; returns the number of those that this call counted. */
export async function helpRecount(db: Database, { counter, signal }: Recount): Promise<number> {
  await planRecount(db);
  const failed = new AbortController();
  const either = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const running = countingWith(counter).lanes;
  const ended = await Promise.allSettled(
    Array.from({ length: lanes - running }, () =>
      inLane(counter, () => countPieces(db, { counter, signal: either })).catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    ),
  );
  signal?.throwIfAborted();
  failed.signal.throwIfAborted();
  await endRecount(db);
  return ended.reduce((sum, lane) => sum + (lane.status === 'fulfilled' ? lane.value : 0), 0);
}

/** Whether a call of helpRecount would count anything, or others in this process have all lanes. */
export function hasFreeLane(counter: HostCounter): boolean {
  return countingWith(counter).lanes < lanes;
}

async function inLane<Result>(counter: HostCounter, work: () => Promise<Result>): Promise<Result> {
  const counting = countingWith(counter);
  counting.lanes += 1;
  try {
    return await work();
  } finally {
    counting.lanes -= 1;
  }
}

/**
 * Counts one piece after the other. Gives its connection back after each, so that in a small pool others wait for a piece
 * only.
 */
async function countPieces(db: Database, recount: Recount): Promise<number> {
  let hosts = 0;
  for (;;) {
    const counted = await countNextPiece(db, recount);
    if (counted === null) return hosts;
    hosts += counted;
  }
}

/** The number of its hosts that were counted; null: there is no piece. */
async function countNextPiece(db: Database, recount: Recount): Promise<number | null> {
  const client = await db.pool.connect();
  let sound = false;
  try {
    const piece = await claimPiece(client);
    const hosts = piece === null ? null : await countPiece(client, piece, recount);
    if (piece !== null) await releasePiece(client, piece);
    sound = true;
    return hosts;
  } finally {
    // After an error the connection still holds the claim: close it.
    client.release(!sound);
  }
}

async function countPiece(client: pg.PoolClient, piece: RecountPiece, recount: Recount): Promise<number> {
  if (piece.hosts.length > 0) return recountThese(client, piece.hosts, recount, { termsChanged: true });
  const changed = await changedVersionsOf(client, piece);
  const hosts =
    piece.sets === null
      ? await hostsRunning(client, changed)
      : await hostsOfSets(client, piece.sets, changed);
  return recountThese(client, hosts, recount, { termsChanged: false });
}

/**
 * Stores counts of hosts, except of those that have another snapshot by now: what matched it has counted it. Returns the hosts of
 * which another kernel is judged than before.
 */
async function writeDiffering(
  tx: PgTransaction,
  differing: readonly { readonly host: CountedBefore; readonly row: CountedRow }[],
): Promise<readonly HostId[]> {
  if (differing.length === 0) return [];
  // Locked in the order in which matching locks them.
  const { rows } = await tx.query<{ snapshotId: UploadId | null }>(
    `SELECT snapshot_id AS "snapshotId" FROM host_state WHERE host_id = ANY($1::uuid[]) ORDER BY host_id FOR UPDATE`,
    [differing.map(({ host }) => host.hostId)],
  );
  const newest = new Set(rows.map(({ snapshotId }) => snapshotId));
  const current = differing.filter(({ host }) => newest.has(host.snapshotId));
  await writeHostCounts(
    tx,
    current.map(({ host }) => host),
    current.map(({ row }) => row),
  );
  // Without a new snapshot, rules or the coverage of a release did that.
  const otherwiseJudged = current.filter(
    ({ host, row }) => storedJudgedKernel(host.stored) !== row.counts.judgedKernelId,
  );
  const kernels = otherwiseJudged.map(({ host: { hostId }, row: { bootedKernelId } }) => ({
    hostId,
    bootedKernelId,
  }));
  await correctBootedKernels(tx, kernels);
  return kernels.map(({ hostId }) => hostId);
}

/**
 * Recounts hosts by their newest snapshots, some per transaction. Returns the number of those that still have one.
 * @param termsChanged whether it is because of waivers, among others: then exposures of hosts with another finding list
 *   are to be counted again, because waived ones count apart.
 */
async function recountThese(
  client: pg.PoolClient,
  hosts: readonly HostId[],
  { counter, signal }: Recount,
  { termsChanged }: { readonly termsChanged: boolean },
): Promise<number> {
  let counted = 0;
  for (let first = 0; first < hosts.length; first += hostsPerTransaction) {
    signal?.throwIfAborted();
    const ids = hosts.slice(first, first + hostsPerTransaction);
    const some = await runTransaction(client, async (tx) => {
      await holdAdvisories(tx);
      const hosts = await loadHostsToCount(tx, ids);
      const counts = await counter.count(tx, hosts);
      const differing = hosts.flatMap((host, index) => {
        const row = counts[index];
        return row === undefined || isStored(host.stored, row) ? [] : [{ host, row }];
      });
      const otherwiseJudged = await writeDiffering(tx, differing);
      await exposuresDue(tx, [...otherwiseJudged, ...(termsChanged ? withOtherFindings(differing) : [])]);
      return hosts.length;
    });
    counted += some;
    countingWith(counter).hosts += some;
  }
  return counted;
}

/** The hosts whose finding lists differ. */
function withOtherFindings(
  differing: readonly { readonly host: CountedBefore; readonly row: CountedRow }[],
): readonly HostId[] {
  return differing.flatMap(({ host: { hostId, stored }, row: { findings } }) =>
    stored.findings === null || findings.digest.equals(stored.findings) ? [] : [hostId],
  );
}

/** The hosts of a range of sets that have a changed version or release. */
async function hostsOfSets(
  client: pg.PoolClient,
  range: SetRange,
  { versions, releases }: ChangedVersions,
): Promise<readonly HostId[]> {
  const found = await findSetIds(client, versions, range);
  const byRelease = `UNION SELECT hs.set_id, hs.host_id FROM host_state hs JOIN releases r ON r.id = hs.release_id
    WHERE hs.set_id BETWEEN $2 AND $3 AND r.name = ANY($4::text[])`;
  const sets = [...found].filter((id) => id >= range.first && id <= range.last);
  const { rows } = await client.query<{ id: HostId }>(
    `SELECT host_id AS id FROM (SELECT set_id, host_id FROM host_state WHERE set_id = ANY($1::int[])
       ${releases.length === 0 ? '' : byRelease}) hs ORDER BY set_id, host_id`,
    releases.length === 0 ? [sets] : [sets, range.first, range.last, releases],
  );
  return rows.map(({ id }) => id);
}

/** The hosts that run one of the changed kernels and are in no other piece: their sets need not contain it. */
async function hostsRunning(
  client: pg.PoolClient,
  { versions, highest, releases }: ChangedVersions,
): Promise<readonly HostId[]> {
  if (versions.size === 0) return [];
  const { rows } = await client.query<{ id: HostId; setId: number }>(
    `SELECT hs.host_id AS id, hs.set_id AS "setId" FROM snapshots s JOIN host_state hs ON hs.snapshot_id = s.id
     JOIN releases r ON r.id = hs.release_id
     WHERE s.running_kernel_id = ANY($1::int[]) AND r.name <> ALL($2::text[]) ORDER BY hs.set_id, hs.host_id`,
    [[...versions], releases],
  );
  const sets = await client.query<{ id: number; ids: Uint8Array }>(
    'SELECT id, ids FROM package_sets WHERE id = ANY($1::int[])',
    [[...new Set(rows.map(({ setId }) => setId))]],
  );
  const without = new Set(
    sets.rows.filter(({ ids }) => heldOf(ids, versions, highest).length === 0).map(({ id }) => id),
  );
  return rows.filter(({ setId }) => without.has(setId)).map(({ id }) => id);
}
