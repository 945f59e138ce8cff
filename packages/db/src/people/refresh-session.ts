import { z } from 'zod';
import { queryRows, type Transaction } from '../core/transaction.ts';
import { Prisma } from '../generated/client.ts';
import { type AuditActor, recordAuditEvent } from './audit-events.ts';
import { isAlive, type SessionOfUser, sessionColumns, sessionRow, toSession } from './session-rows.ts';

/** A refresh token that a client presents, as hashes: the database never sees the token. */
export interface PresentedRefresh {
  readonly sessionId: string;
  readonly hash: Uint8Array;
  /** The hashes of the tokens that may follow it: the first one does, the others if an earlier request chose them. */
  readonly successors: readonly Uint8Array[];
  readonly idleMinutes: number;
}

/**
 * `refreshed`: `successor` is the index of the token that follows. `reused`: an old token was presented, so two clients
 * have it, and the session is ended. `over`: there is no such session any more.
 */
export type Refreshed =
  | ({ readonly kind: 'refreshed'; readonly successor: number } & SessionOfUser)
  | { readonly kind: 'reused' }
  | { readonly kind: 'over' };

/**
 * Seconds in which a used token gets the same successor again: two tabs refresh at the same time, or an answer is lost.
 */
const repeatSeconds = 30;

const refreshRow = sessionRow.extend({
  refresh_hash: z.instanceof(Uint8Array).nullable(),
  previous_hash: z.instanceof(Uint8Array).nullable(),
  repeatable: z.boolean().nullable(),
});

/**
 * Exchanges a refresh token for its successor. A token that is not the newest gets the same successor within
 * `repeatSeconds` of its first use; afterwards it ends the session and writes the audit event `session.token_reused`.
 */
export async function refreshSession(
  tx: Transaction,
  presented: PresentedRefresh,
  origin: Pick<AuditActor, 'ipAddress' | 'requestId'>,
): Promise<Refreshed> {
  const [row] = await queryRows(
    tx,
    refreshRow,
    Prisma.sql`SELECT ${sessionColumns}, s.refresh_hash, s.previous_hash,
        s.rotated_at > now() - make_interval(secs => ${repeatSeconds}) AS repeatable
      FROM sessions s JOIN users u ON u.id = s.user_id
      WHERE s.id = ${presented.sessionId}::uuid AND s.refresh_hash IS NOT NULL AND ${isAlive} FOR UPDATE OF s`,
  );
  if (row === undefined) return { kind: 'over' };
  const found = toSession(row);
  if (isEqual(row.refresh_hash, presented.hash)) {
    await rotate(tx, presented);
    return { kind: 'refreshed', successor: 0, ...found };
  }
  if (row.repeatable === true && isEqual(row.previous_hash, presented.hash)) {
    const successor = presented.successors.findIndex((hash) => isEqual(row.refresh_hash, hash));
    return successor < 0 ? { kind: 'over' } : { kind: 'refreshed', successor, ...found };
  }
  const { user, session } = found;
  await tx.session.deleteMany({ where: { id: session.id } });
  await recordAuditEvent(tx, {
    action: 'session.token_reused',
    // Not known to be the user.
    actor: { kind: 'system', id: null, name: 'sessions', ...origin },
    target: { kind: 'user', id: user.id, name: user.email },
    details: { session: session.id },
  });
  return { kind: 'reused' };
}

async function rotate(
  tx: Transaction,
  { sessionId, hash, successors: [next], idleMinutes }: PresentedRefresh,
): Promise<void> {
  if (next === undefined) throw new Error('a refresh token without a successor');
  await tx.$executeRaw`UPDATE sessions SET refresh_hash = ${next}, previous_hash = ${hash}, rotated_at = now(),
      last_used_at = now(), idle_ends_at = now() + make_interval(mins => ${idleMinutes}::int)
    WHERE id = ${sessionId}::uuid`;
}

function isEqual(stored: Uint8Array | null, hash: Uint8Array): boolean {
  return stored !== null && Buffer.compare(stored, hash) === 0;
}
