import type { HostId } from '@plimsoll/model';
import { type Database, newId } from '../../core/database.ts';
import { inTransaction, type Transaction } from '../../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';

/** The host access token of a request. */
export interface UsedHostToken {
  readonly hostId: HostId;
  readonly tokenId: string;
}

/**
 * Gives a host a new token that replaces the one it used, once it is used itself; until then both are valid. A token that
 * was given before and never used stops working, so a host has at most two. False if the used token has ended
 * meanwhile.
 */
export function offerHostToken(
  { prisma }: Database,
  { hostId, tokenId }: UsedHostToken,
  tokenHash: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  return inTransaction(prisma, async (tx) => {
    if (!(await lockLiveToken(tx, tokenId))) return false;
    const offered = await tx.hostAccessToken.updateMany({
      where: { replacesId: tokenId },
      data: { tokenHash },
    });
    if (offered.count === 0)
      await tx.hostAccessToken.createMany({
        data: { id: newId<string>(), hostId, tokenHash, replacesId: tokenId },
      });
    return true;
  });
}

/** A token that replaces another one. */
interface ReplacingToken extends UsedHostToken {
  readonly replacesId: string;
  /** SHA-256 of the token. */
  readonly tokenHash: Uint8Array<ArrayBuffer>;
}

/**
 * Ends the token that `tokenId` replaces, when `tokenId` is used for the first time. False if `tokenId` has ended, or got
 * another secret meanwhile because the host asked once more.
 */
export function endReplacedToken(
  { prisma }: Pick<Database, 'prisma'>,
  { tokenId, replacesId, hostId, tokenHash }: ReplacingToken,
): Promise<boolean> {
  return inTransaction(prisma, async (tx) => {
    // In the order of offerHostToken, so that neither waits for the other.
    const wasLive = await lockLiveToken(tx, replacesId);
    const now = new Date();
    const used = await tx.hostAccessToken.updateMany({
      where: { id: tokenId, tokenHash, revokedAt: null },
      data: { firstUsedAt: now },
    });
    if (used.count === 0 || !wasLive) return used.count > 0;
    await tx.hostAccessToken.updateMany({ where: { id: replacesId }, data: { revokedAt: now } });
    await recordAuditEvent(tx, {
      action: 'host_token.rotated',
      actor: await hostActor(tx, hostId),
      target: { kind: 'host', id: hostId, name: null },
      details: {},
    });
    return true;
  });
}

async function lockLiveToken(tx: Transaction, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 AS one FROM host_access_tokens WHERE id = ${id}::uuid AND revoked_at IS NULL FOR UPDATE`;
  return rows.length > 0;
}

async function hostActor(tx: Transaction, hostId: HostId): Promise<AuditActor> {
  const host = await tx.host.findUnique({ where: { id: hostId }, select: { displayName: true } });
  return { kind: 'host', id: hostId, name: host?.displayName ?? hostId, ipAddress: null, requestId: null };
}
