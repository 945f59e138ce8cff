import type { PgTransaction } from '../../core/database.ts';
import { correctBootedKernels } from '../history/host-ledger.ts';
import { writeLateSnapshots } from '../history/late-snapshots.ts';
import type { CountedRow, HostToCount, MatchCounter } from './host-counter.ts';
import type { WaitingSnapshot } from './host-state.ts';

/** Snapshots that are older than the states of their hosts. */
interface Past {
  /** Of each host the oldest first. */
  readonly late: readonly WaitingSnapshot[];
  /** Their hosts, by the snapshots of their states. */
  readonly states: readonly HostToCount[];
}

/** Puts late snapshots into the past of their hosts. */
export async function writePast(
  tx: PgTransaction,
  { late, states }: Past,
  counter: MatchCounter,
): Promise<void> {
  // Counted only for the kernels that ran.
  const counted = await counter.count(tx, [...late, ...states], { isUpload: true });
  // Newer rules can know another kernel than the ones by which the ledger was written.
  await correctBootedKernels(tx, withKernels(states, counted.slice(late.length)));
  await writeLateSnapshots(tx, withKernels(late, counted));
}

/** Snapshots with the kernels that they state. @param counted in the order of `snapshots`. */
export function withKernels<Snapshot>(
  snapshots: readonly Snapshot[],
  counted: readonly CountedRow[],
): readonly (Snapshot & Pick<CountedRow, 'bootedKernelId'>)[] {
  return snapshots.map((snapshot, index) => ({
    ...snapshot,
    bootedKernelId: counted[index]?.bootedKernelId ?? null,
  }));
}
