import type { PatchRhythmState } from '@plimsoll/model';
import type { PgTransaction } from '../database.ts';
import { type HostSelection, patchRhythmJoin, patchRhythmSql } from '../hosts/host-selection.ts';

/** The number of approved hosts by the state of their rhythm. */
export type RhythmTotals = Readonly<Record<PatchRhythmState, number>>;

/** Counts the approved ones of selected hosts. */
export async function rhythmTotals(
  tx: PgTransaction,
  { from, where, values }: HostSelection,
): Promise<RhythmTotals> {
  const { rows } = await tx.query<{ state: PatchRhythmState; hosts: number }>(
    `SELECT ${patchRhythmSql} AS state, count(*)::int AS hosts FROM ${from} ${patchRhythmJoin}
     WHERE ${where} AND h.approval_status = 'approved' GROUP BY 1`,
    values,
  );
  const none = { regular: 0, stopped: 0, nothing_to_install: 0, unknown: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ state, hosts }) => [state, hosts])) };
}
