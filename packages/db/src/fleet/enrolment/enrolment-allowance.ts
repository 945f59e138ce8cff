import { ownBytes } from '../../core/bytes.ts';
import { databaseTime, inTransaction, type Transaction } from '../../core/transaction.ts';
import type { PrismaClient, RegistrationToken } from '../../generated/client.ts';
import { recordAuditEvent } from '../../people/audit-events.ts';
import type { EnrolmentLimits, EnrolmentRequest, EnrolmentResult } from './enrolment-request.ts';
import { daySeconds } from './shared-allowances.ts';

/** A token that has neither expired nor been revoked. */
export async function findUsable(
  on: Pick<Transaction, 'registrationToken'>,
  { tokenHash }: EnrolmentRequest,
  now: Date,
): Promise<RegistrationToken | null> {
  return on.registrationToken.findFirst({
    where: { tokenHash: ownBytes(tokenHash), revokedAt: null, expiresAt: { gt: now } },
  });
}

/** When the allowance of a token would be full again after one more enrolment; null if the allowance is used up. */
export function allowanceAfter(
  { enrolmentsWholeAt }: RegistrationToken,
  now: Date,
  { burst, perMinute }: EnrolmentLimits,
): Date | null {
  const stepMs = 60_000 / perMinute;
  const mostMs = now.getTime() + burst * stepMs;
  const storedMs = enrolmentsWholeAt.getTime();
  // A time that is a day beyond was written by a clock that was ahead.
  const isPossible = storedMs <= mostMs + daySeconds * 1_000;
  const wholeMs = Math.max(isPossible ? storedMs : 0, now.getTime()) + stepMs;
  return wholeMs <= mostMs ? new Date(Math.round(wholeMs)) : null;
}

/** A token whose allowance is used up. */
interface UsedUpToken {
  readonly id: string;
  readonly name: string;
  readonly isNoted: boolean;
}

/** The token of a request if it is valid and its allowance is used up. */
export async function findUsedUp(
  prisma: PrismaClient,
  request: EnrolmentRequest,
  limits: EnrolmentLimits,
): Promise<UsedUpToken | null> {
  const now = await databaseTime(prisma);
  const token = await findUsable(prisma, request, now);
  if (token === null || allowanceAfter(token, now, limits) !== null) return null;
  // A token without remaining uses refuses all requests except repeated ones.
  if (token.uses >= token.maxUses && !(await wasUsedBefore(prisma, token, request))) return null;
  const { id, name, refusalNotedAt } = token;
  return { id, name, isNoted: refusalNotedAt !== null && refusalNotedAt > anHourBefore(now) };
}

async function wasUsedBefore(
  prisma: PrismaClient,
  { id: tokenId }: RegistrationToken,
  { idempotencyKeyHash }: EnrolmentRequest,
): Promise<boolean> {
  if (idempotencyKeyHash === null) return false;
  return (await prisma.enrolment.count({ where: { tokenId, keyHash: ownBytes(idempotencyKeyHash) } })) > 0;
}

function anHourBefore(time: Date): Date {
  return new Date(time.getTime() - 60 * 60_000);
}

/** Writes an audit event that too many hosts enrol with a token, at most once per hour. */
export async function refuseTooMany(
  prisma: PrismaClient,
  token: UsedUpToken,
  { hostname, origin }: EnrolmentRequest,
): Promise<EnrolmentResult> {
  if (token.isNoted) return tooMany(token, false);
  return inTransaction(prisma, async (tx) => {
    const now = await databaseTime(tx);
    const { count } = await tx.registrationToken.updateMany({
      where: {
        id: token.id,
        OR: [{ refusalNotedAt: null }, { refusalNotedAt: { lte: anHourBefore(now) } }],
      },
      data: { refusalNotedAt: now },
    });
    if (count === 0) return tooMany(token, false);
    await recordAuditEvent(tx, {
      action: 'registration_token.rate_limited',
      actor: { kind: 'system', id: null, name: 'enrolment', ...origin },
      target: { kind: 'registration_token', id: token.id, name: token.name },
      details: { hostname },
    });
    return tooMany(token, true);
  });
}

/** The result of an enrolment that its token has no allowance for. */
export function tooMany(
  { id, name }: { readonly id: string; readonly name: string },
  isFirst: boolean,
): EnrolmentResult {
  return { kind: 'too_many', tokenId: id, tokenName: name, isFirst };
}
