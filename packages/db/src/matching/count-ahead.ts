import { setTimeout as delay } from 'node:timers/promises';
import type { HostId } from '@plimsoll/model';
import { isImportingOrCounting } from '../connection/after-imports.ts';
import { holdAdvisories } from '../connection/locks.ts';
import { type Database, inPgTransaction } from '../database.ts';
import type { HostCounter } from './host-counter.ts';
import { loadHostsToCount } from './load-hosts-to-count.ts';

/** Hosts counted ahead: of a large fleet they have most of what all hosts have in common. */
const hostsAhead = 2_000;
const hostsPerTransaction = 50;
/** Rest after a transaction, as a multiple of its time. */
const restPerWork = 3;

/**
 * Counts some hosts without storing their counts, slowly, so that the first import after the start of a process does not
 * wait for what counting reads and keeps: package versions, updates and facts that many hosts have in common. Ends when an
 * import begins. Returns the number of hosts; throws the signal's reason when it aborts.
 */
export async function countAhead(
  { pool }: Database,
  { counter, signal }: { readonly counter: HostCounter; readonly signal: AbortSignal },
): Promise<number> {
  // By pages of the table, so that the time does not grow with the fleet.
  const { rows } = await pool.query<{ id: HostId }>(
    `SELECT host_id AS id FROM host_state TABLESAMPLE SYSTEM (
       (SELECT least(100, 100.0 * $1::int / greatest(1, reltuples)) FROM pg_class WHERE oid = 'host_state'::regclass))
     WHERE snapshot_id IS NOT NULL LIMIT $1`,
    [hostsAhead],
  );
  const ids = rows.map(({ id }) => id);
  let counted = 0;
  for (let first = 0; first < ids.length; first += hostsPerTransaction) {
    signal.throwIfAborted();
    if (await isImportingOrCounting(pool)) break;
    const begunAt = performance.now();
    counted += await inPgTransaction(pool, async (tx) => {
      await holdAdvisories(tx);
      const hosts = await loadHostsToCount(tx, ids.slice(first, first + hostsPerTransaction));
      await counter.count(tx, hosts);
      return hosts.length;
    });
    await delay((performance.now() - begunAt) * restPerWork, undefined, { signal });
  }
  return counted;
}
