import type { Transaction } from '../connection/transaction.ts';
import { Prisma } from '../generated/client.ts';

/** Sets a host's next pull to an expression of the schedule, whose times and jitter the database computes. */
export async function planNextPull(tx: Transaction, hostId: string, next: string): Promise<void> {
  await tx.$executeRaw`UPDATE ssh_targets t SET next_pull_at = ${Prisma.raw(next)} WHERE host_id = ${hostId}::uuid`;
}
