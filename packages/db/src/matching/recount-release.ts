import { holdAdvisories } from '../connection/match-lock.ts';
import { inPgTransaction } from '../connection/pg-transaction.ts';
import type { Database } from '../database.ts';
import { type CountableSnapshot, countableColumns, type HostCounter } from './host-counter.ts';
import { writeHostCounts } from './host-state.ts';
import type { OutdatedRelease } from './outdated-release.ts';

/** Hosts changed per transaction. Uploads can be matched between two transactions. */
const hostsPerPiece = 500;

/** Recounts every host of a release; returns their number. Stops between two pieces when `signal` aborts. */
export async function recountRelease(
  db: Database,
  release: OutdatedRelease,
  { counter, signal }: { readonly counter: HostCounter; readonly signal: AbortSignal },
): Promise<number> {
  let hosts = 0;
  let after: string | null = null;
  for (;;) {
    signal.throwIfAborted();
    const counted: readonly CountableSnapshot[] = await inPgTransaction(db.pool, async (tx) => {
      await holdAdvisories(tx);
      const { rows } = await tx.query<CountableSnapshot>(
        `SELECT ${countableColumns}
         FROM host_state hs JOIN snapshots s ON s.id = hs.snapshot_id JOIN package_sets ps ON ps.id = s.set_id
         JOIN releases r ON r.id = s.release_id
         WHERE ($1::uuid IS NULL OR hs.host_id > $1) AND hs.release_id = $2
         ORDER BY hs.host_id LIMIT $3 FOR UPDATE OF hs`,
        [after, release.id, hostsPerPiece],
      );
      await writeHostCounts(tx, rows, await counter.count(tx, rows));
      return rows;
    });
    hosts += counted.length;
    const last = counted.at(-1);
    if (last === undefined || counted.length < hostsPerPiece) return hosts;
    after = last.hostId;
  }
}
