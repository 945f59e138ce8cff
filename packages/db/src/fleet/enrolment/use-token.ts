import type { HostId } from '@plimsoll/model';
import { ownBytes } from '../../core/bytes.ts';
import { lockRow } from '../../core/locks.ts';
import { databaseTime, type Transaction } from '../../core/transaction.ts';
import type { RegistrationToken } from '../../generated/client.ts';
import { recordAuditEvent } from '../../people/audit-events.ts';
import { createHost, enrolAgain, replaceToken } from './enrolled-host.ts';
import { allowanceAfter, findUsable, tooMany } from './enrolment-allowance.ts';
import type { EnrolmentLimits, EnrolmentRequest, EnrolmentResult } from './enrolment-request.ts';

/**
 * Uses a registration token in the caller's transaction: for a new host, for its own host again, or for a repeated
 * request.
 */
export async function enrol(
  tx: Transaction,
  request: EnrolmentRequest,
  limits: EnrolmentLimits,
): Promise<EnrolmentResult> {
  const now = await databaseTime(tx);
  const known = await findUsable(tx, request, now);
  if (known === null) return { kind: 'refused' };
  // The row lock serializes concurrent uses; each reads the result of the previous one.
  await lockRow(tx, 'registration_tokens', known.id, 'update');
  const token = await findUsable(tx, request, now);
  if (token === null) return { kind: 'refused' };
  const earlier = await findEarlierUse(tx, token, request);
  if (earlier === null && token.uses >= token.maxUses) return { kind: 'refused' };
  // Applies to repeated requests too, because each leaves a host token and an audit event.
  const wholeAt = allowanceAfter(token, now, limits);
  if (wholeAt === null) return tooMany(token, false);
  await tx.registrationToken.updateMany({
    where: { id: token.id },
    data: { enrolmentsWholeAt: wholeAt, ...(earlier === null ? { uses: { increment: 1 } } : {}) },
  });
  if (earlier !== null) return recorded(tx, token, request, await replaceToken(tx, earlier, request, now));
  const enrolled =
    token.hostId === null
      ? await createHost(tx, token, request, now)
      : await enrolAgain(tx, token.hostId as HostId, request, now); // Only these stores write ids of hosts.
  if (enrolled.kind === 'enrolled') await noteKey(tx, token, request, enrolled.hostId);
  return recorded(tx, token, request, enrolled);
}

/**
 * Links the Idempotency-Key to the newest host. After a host has used its access token, the key no longer identifies
 * it.
 */
async function noteKey(
  tx: Transaction,
  { id: tokenId }: RegistrationToken,
  { idempotencyKeyHash }: EnrolmentRequest,
  hostId: HostId,
): Promise<void> {
  if (idempotencyKeyHash === null) return;
  const keyHash = ownBytes(idempotencyKeyHash);
  const { count } = await tx.enrolment.updateMany({ where: { tokenId, keyHash }, data: { hostId } });
  // The token's lock prevents concurrent inserts of the key.
  if (count === 0) await tx.enrolment.createMany({ data: { tokenId, keyHash, hostId } });
}

/** Writes the audit event of a successful enrolment, with the host as its actor. */
async function recorded(
  tx: Transaction,
  token: RegistrationToken,
  { hostname, origin }: EnrolmentRequest,
  result: EnrolmentResult,
): Promise<EnrolmentResult> {
  if (result.kind !== 'enrolled') return result;
  await recordAuditEvent(tx, {
    action: 'host.enrolled',
    actor: { kind: 'host', id: result.hostId, name: hostname, ...origin },
    target: { kind: 'host', id: result.hostId, name: null },
    details: {
      registration_token_id: token.id,
      registration_token: token.name,
      approval_status: result.approvalStatus,
    },
  });
  return result;
}

/** The host from an earlier request with the same token and Idempotency-Key, if its access token was never used. */
async function findEarlierUse(
  tx: Transaction,
  { id: tokenId }: RegistrationToken,
  { idempotencyKeyHash }: EnrolmentRequest,
): Promise<HostId | null> {
  if (idempotencyKeyHash === null) return null;
  const use = await tx.enrolment.findFirst({
    where: {
      tokenId,
      keyHash: ownBytes(idempotencyKeyHash),
      host: { tokens: { some: { revokedAt: null, firstUsedAt: null, replacesId: null } } },
    },
    select: { hostId: true },
  });
  return use === null ? null : (use.hostId as HostId); // As above.
}
