import { groupBy, type HostId } from '@plimsoll/model';
import type { HostStep, RunningKernel } from '../history/host-ledger.ts';
import type { PackageStep } from '../history/package-changes.ts';
import type { CountedRow, HostToCount } from './host-counter.ts';
import type { PriorState, WaitingSnapshot } from './host-state.ts';

/** What snapshots become, each list with the oldest of a host first. */
export interface Partition {
  /** One of a host at most. */
  readonly newest: readonly WaitingSnapshot[];
  /** Newer than what their host's state was written from, but not its newest. */
  readonly overtaken: readonly WaitingSnapshot[];
  /** Older than that. */
  readonly late: readonly WaitingSnapshot[];
}

/** Sorts snapshots by what they become. @param waiting by host, the oldest first. */
export function partition(
  waiting: readonly WaitingSnapshot[],
  hosts: ReadonlyMap<HostId, PriorState>,
): Partition {
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

/** The snapshots from which the states of hosts were last written, each host once. */
export function statesOf(
  snapshots: readonly WaitingSnapshot[],
  hosts: ReadonlyMap<HostId, PriorState>,
): readonly HostToCount[] {
  return [...new Set(snapshots.map(({ hostId }) => hostId))].flatMap((hostId) => {
    const snapshotId = hosts.get(hostId)?.snapshotId ?? null;
    return snapshotId === null ? [] : [{ hostId, snapshotId }];
  });
}

/** The first overtaken snapshots of new hosts. @param overtaken of each host the oldest first. */
export function firstOf(
  overtaken: readonly WaitingSnapshot[],
  hosts: ReadonlyMap<HostId, PriorState>,
): readonly WaitingSnapshot[] {
  const first = new Map<HostId, WaitingSnapshot>();
  for (const snapshot of overtaken)
    if (hosts.get(snapshot.hostId)?.snapshotId == null && !first.has(snapshot.hostId))
      first.set(snapshot.hostId, snapshot);
  return [...first.values()];
}

/** The packages of hosts before and after snapshots. @param snapshots of each host in their order. */
export function packageSteps(
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

/** Snapshots with the kernels that ran. @param counted in the order of `snapshots`. */
export function withKernels<Snapshot>(
  snapshots: readonly Snapshot[],
  counted: readonly CountedRow[],
): readonly (Snapshot & Pick<RunningKernel, 'bootedKernelId'>)[] {
  return snapshots.map((snapshot, index) => ({
    ...snapshot,
    bootedKernelId: counted[index]?.bootedKernelId ?? null,
  }));
}

/** What the ledger of hosts compares. @param kernels of the overtaken snapshots. @param counts begin with those of `newest`, in its order. */
export function hostSteps(
  { newest, counts }: { readonly newest: readonly WaitingSnapshot[]; readonly counts: readonly CountedRow[] },
  kernels: readonly RunningKernel[],
  hosts: ReadonlyMap<HostId, PriorState>,
): readonly HostStep[] {
  const overtaken = groupBy(kernels, ({ hostId }) => hostId);
  return newest.map(({ hostId, sequence, receivedAt, ids }, index) => {
    const before = hosts.get(hostId);
    return {
      hostId,
      sequence,
      receivedAt,
      before: before?.ids == null ? null : { ids: before.ids, bootedKernelId: before.bootedKernelId },
      overtaken: overtaken.get(hostId) ?? [],
      after: { ids, bootedKernelId: counts[index]?.bootedKernelId ?? null },
    };
  });
}
