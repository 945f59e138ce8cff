import { type BootedKernel, containerKinds } from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import { decodePackageSet, encodePackageSet } from '../../ingest/package-set.ts';
import { beginHistories, type RunningKernel, ranBy, writeKernels } from './host-ledger.ts';
import { writePackageChanges } from './package-changes.ts';

/** A snapshot whose host has a newer one already. */
export interface LateSnapshot extends Omit<RunningKernel, 'bootedKernelId'> {
  readonly bootedKernelId: BootedKernel;
  /** The encoded package set. */
  readonly ids: Uint8Array;
}

/**
 * Puts snapshots that are matched after newer ones of their hosts into the past: what they changed, and what the next
 * one changed then. What that one opened and closed on its host was told and stays. The caller has locked the hosts'
 * states, and counts the hosts after it.
 * @param snapshots of each host the oldest first, still in the state `parsed`.
 */
export async function writeLateSnapshots(
  tx: PgTransaction,
  snapshots: readonly LateSnapshot[],
): Promise<void> {
  for (const late of snapshots) await writeLate(tx, late);
}

async function writeLate(tx: PgTransaction, late: LateSnapshot): Promise<void> {
  const next = await findNext(tx, late);
  if (next === null) return;
  const { hostId, sequence, receivedAt, ids } = late;
  const { before, after, step, isFirst } = next;
  await tx.query('DELETE FROM package_changes WHERE host_id = $1 AND sequence = $2', [hostId, step.sequence]);
  await writePackageChanges(tx, [
    { hostId, sequence, receivedAt, before: isFirst ? null : before, after: ids },
    { hostId, ...step, before: ids, after },
  ]);
  await writeKernel(tx, late, next);
  if (isFirst) await beginHistories(tx, [late]);
  // The rhythm of updates was learned without it; what is learned twice counts once.
  await tx.query(
    'UPDATE patch_rhythms SET due = true, sequence = least(sequence, $2::bigint - 1) WHERE host_id = $1',
    [hostId, sequence],
  );
}

/**
 * Notes another kernel than ran before, and that what was known to run later did from the next snapshot on that states a
 * kernel.
 */
async function writeKernel(tx: PgTransaction, late: LateSnapshot, { step, isFirst }: Next): Promise<void> {
  const { hostId, sequence } = late;
  const { rows } = await tx.query<{ before: PackageVersionId | null }>(
    `SELECT booted_kernel_id AS before FROM host_changes WHERE host_id = $1 AND sequence < $2
     ORDER BY sequence DESC LIMIT 1`,
    [hostId, sequence],
  );
  const before = rows[0]?.before ?? null;
  const kernel: RunningKernel = { ...late, bootedKernelId: ranBy(late.bootedKernelId, before) };
  if (!isFirst && kernel.bootedKernelId === before) return;
  const next = await findNextStated(tx, late, step);
  if (late.bootedKernelId !== 'not_stated') {
    await tx.query(
      `UPDATE host_changes SET booted_kernel_id = $3 WHERE host_id = $1 AND sequence > $2 AND ($4::bigint IS NULL OR sequence < $4)
         AND booted_kernel_id IS DISTINCT FROM $3`,
      [hostId, sequence, kernel.bootedKernelId, next?.sequence ?? null],
    );
  }
  const isNoted = next === null || next.isNoted;
  await writeKernels(tx, isNoted ? [kernel] : [kernel, { hostId, ...next, bootedKernelId: next.ran }]);
}

/** SQL: whether a snapshot `s` waits to be matched, and is not part of the past yet. */
const isWaiting = `EXISTS (SELECT FROM uploads u WHERE u.id = s.id AND u.state = 'parsed')`;

/** SQL: whether a snapshot `s` of a machine states no kernel. `$3`: the words for containers. */
const statesNoKernel = `coalesce(s.facts #>> '{kernel,runningRelease}', '') = ''
  AND lower(coalesce(s.facts #>> '{platform,virtualization}', '')) <> ALL ($3::text[])`;

/** The next snapshot that states what runs, of which only a change may be known; and what is known to have run then. */
async function findNextStated(
  tx: PgTransaction,
  { hostId, sequence }: LateSnapshot,
  step: Step,
): Promise<(Step & { readonly isNoted: boolean; readonly ran: PackageVersionId | null }) | null> {
  const { rows } = await tx.query<Step & { isNoted: boolean; ran: PackageVersionId | null }>(
    `SELECT n.sequence, n.at AS "receivedAt", c.sequence IS NOT DISTINCT FROM n.sequence AS "isNoted", c.booted_kernel_id AS ran
     FROM (
       SELECT s.sequence, s.received_at AS at FROM host_state hs JOIN snapshots s ON s.host_id = hs.host_id AND s.sequence <= hs.sequence
       WHERE hs.host_id = $1 AND s.sequence > $2 AND NOT ${isWaiting} AND NOT (${statesNoKernel})
       UNION ALL
       SELECT h.sequence, h.at FROM (
         SELECT sequence, at FROM package_changes WHERE host_id = $1 AND sequence > $2
         UNION SELECT sequence, at FROM host_changes WHERE host_id = $1 AND sequence > $2
         UNION SELECT $4::bigint, $5::timestamptz) h
       WHERE NOT EXISTS (SELECT FROM snapshots s WHERE s.host_id = $1 AND s.sequence = h.sequence)) n
     LEFT JOIN LATERAL (
       SELECT sequence, booted_kernel_id FROM host_changes WHERE host_id = $1 AND sequence <= n.sequence
       ORDER BY sequence DESC LIMIT 1) c ON true
     ORDER BY n.sequence LIMIT 1`,
    [hostId, sequence, [...containerKinds], step.sequence, step.receivedAt],
  );
  return rows[0] ?? null;
}

/** A snapshot that a host had, which may be folded by now. */
interface Step {
  readonly sequence: string;
  readonly receivedAt: Date;
}

/** What is known of the time after a late snapshot. */
interface Next {
  /** The next snapshot: of folded ones only those are known that changed packages, or ran another kernel. */
  readonly step: Step;
  /** The encoded package sets before and with it. */
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** Whether nothing came before the late snapshot. */
  readonly isFirst: boolean;
}

/** Null if the host's state is gone. */
async function findNext(tx: PgTransaction, { hostId, sequence }: LateSnapshot): Promise<Next | null> {
  const { rows: found } = await tx.query<Step & { ids: Uint8Array; isFirst: boolean }>(
    `SELECT s.sequence, s.received_at AS "receivedAt", ps.ids,
            NOT EXISTS (SELECT FROM snapshots s WHERE s.host_id = $1 AND s.sequence < $2 AND NOT ${isWaiting})
              AND NOT EXISTS (SELECT FROM package_changes WHERE host_id = $1 AND sequence < $2)
              AND NOT EXISTS (SELECT FROM host_changes WHERE host_id = $1 AND sequence < $2) AS "isFirst"
     FROM host_state hs JOIN snapshots s ON s.host_id = hs.host_id AND s.sequence <= hs.sequence
     JOIN package_sets ps ON ps.id = s.set_id
     WHERE hs.host_id = $1 AND s.sequence > $2 AND NOT ${isWaiting} ORDER BY s.sequence LIMIT 1`,
    [hostId, sequence],
  );
  const [kept] = found;
  if (kept === undefined) return null;
  const { rows: changes } = await tx.query<Step & Change>(
    `SELECT p.sequence, p.at AS "receivedAt", coalesce(from_ids, '{}') AS "fromIds", coalesce(to_ids, '{}') AS "toIds"
     FROM (SELECT sequence, at FROM package_changes WHERE host_id = $1 AND sequence > $2 AND sequence <= $3
           UNION SELECT sequence, at FROM host_changes WHERE host_id = $1 AND sequence > $2 AND sequence <= $3) p
     LEFT JOIN package_changes c ON c.host_id = $1 AND c.sequence = p.sequence ORDER BY p.sequence`,
    [hostId, sequence, kept.sequence],
  );
  const [first, ...later] = changes;
  const content = new Set(decodePackageSet(kept.ids));
  for (const change of later.reverse()) undo(content, change);
  const after = encodePackageSet(content).ids;
  if (first !== undefined) undo(content, first);
  const step = first ?? kept;
  return {
    step: { sequence: step.sequence, receivedAt: step.receivedAt },
    before: encodePackageSet(content).ids,
    after,
    isFirst: kept.isFirst,
  };
}

/** What a snapshot changed; an id is 0 where a package was not installed. */
interface Change {
  readonly fromIds: readonly (PackageVersionId | 0)[];
  readonly toIds: readonly (PackageVersionId | 0)[];
}

function undo(content: Set<PackageVersionId>, { fromIds, toIds }: Change): void {
  for (const id of toIds) if (id !== 0) content.delete(id);
  for (const id of fromIds) if (id !== 0) content.add(id);
}
