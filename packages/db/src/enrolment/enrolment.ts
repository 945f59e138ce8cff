import { type ApprovalStatus, type HostId, machineKey, type OsFamily } from '@plimsoll/model';
import { recordAuditEvent } from '../audit/audit-events.ts';
import { ownBytes } from '../connection/bytes.ts';
import { databaseTime } from '../connection/database-time.ts';
import { lockRow } from '../connection/row-locks.ts';
import { statementsIn } from '../connection/statements.ts';
import { inTransaction, type Transaction } from '../connection/transaction.ts';
import type { Database } from '../database.ts';
import type { PrismaClient, RegistrationToken } from '../generated/client.ts';
import { findMachineIdConflict } from '../hosts/machine-id-lock.ts';

/** What an agent reports about its host when it enrols, with the new ids and hashes. */
export interface EnrolmentRequest {
  /** SHA-256 of the registration token. */
  readonly tokenHash: Uint8Array;
  /** SHA-256 of the Idempotency-Key, if one was sent. */
  readonly idempotencyKeyHash: Uint8Array | null;
  /** The id for a new host. */
  readonly hostId: HostId;
  readonly accessTokenId: string;
  /** SHA-256 of the new host access token. */
  readonly accessTokenHash: Uint8Array;
  readonly hostname: string;
  readonly machineId: string;
  readonly ipAddress: string | null;
  readonly osFamily: OsFamily;
  readonly osName: string;
  readonly osMajor: number;
  readonly osVersion: string;
  readonly architecture: string;
  readonly staleAfterSeconds: number;
  /** The address and id of the request. */
  readonly origin: { readonly ipAddress: string | null; readonly requestId: string | null };
}

/** Limits on the number of hosts that enrol with one registration token. */
export interface EnrolmentLimits {
  /** Hosts at once. */
  readonly burst: number;
  /** Hosts per minute after the burst. */
  readonly perMinute: number;
}

/** The default limits, listed in docs/configuration.md. */
export const defaultEnrolmentLimits: EnrolmentLimits = { burst: 100, perMinute: 300 };

/** The maximum length of a display name taken from a hostname, in characters. */
const longestDisplayName = 200;

/** The result of an enrolment. A client without a valid token does not learn why it was refused. */
export type EnrolmentResult =
  | { readonly kind: 'enrolled'; readonly hostId: HostId; readonly approvalStatus: ApprovalStatus }
  | { readonly kind: 'refused' }
  /**
   * The token is valid, but too many hosts enrol with it. `isFirst`: an audit event was written now, at most one per
   * hour.
   */
  | {
      readonly kind: 'too_many';
      readonly tokenId: string;
      readonly tokenName: string;
      readonly isFirst: boolean;
    };

/** A host that sent a valid access token. */
export interface AuthenticatedHost {
  readonly hostId: HostId;
  readonly approvalStatus: ApprovalStatus;
}

/** Enrols hosts and authenticates their agents. */
export interface EnrolmentStore {
  /**
   * Uses a registration token once, by the rules of POST /agent/register, in one transaction. If too many hosts enrol
   * with it, changes nothing except for one audit event per hour.
   */
  enrol(request: EnrolmentRequest): Promise<EnrolmentResult>;
  /** The host of a host access token; null if the token is unknown or revoked. */
  authenticateHost(tokenHash: Uint8Array): Promise<AuthenticatedHost | null>;
}

/** The enrolments of one database. */
export function createEnrolmentStore(
  { pool, prisma }: Database,
  limits: EnrolmentLimits = defaultEnrolmentLimits,
): EnrolmentStore {
  return {
    async enrol(request) {
      // First without a lock, so that refused requests do not wait for each other.
      const usedUp = await findUsedUp(prisma, request, limits);
      if (usedUp !== null) return refuseTooMany(prisma, usedUp, request);
      return inTransaction(prisma, (tx) => enrol(tx, request, limits));
    },
    authenticateHost: (tokenHash) => authenticateHost(pool, tokenHash),
  };
}

/** Uses pg only, because every report runs it (decision 0057). */
async function authenticateHost(
  pool: Database['pool'],
  tokenHash: Uint8Array,
): Promise<AuthenticatedHost | null> {
  const { rows } = await pool.query<{
    id: string;
    host_id: HostId;
    approval_status: ApprovalStatus;
    used: boolean;
  }>(
    `SELECT t.id, t.host_id, h.approval_status, t.first_used_at IS NOT NULL AS used
     FROM host_access_tokens t JOIN hosts h ON h.id = t.host_id
     WHERE t.token_hash = $1 AND t.revoked_at IS NULL`,
    [tokenHash],
  );
  const row = rows[0];
  if (row === undefined) return null;
  if (!row.used) {
    // Only an unused token may be replaced by a repeated request with the same Idempotency-Key.
    const marked = await pool.query(
      `UPDATE host_access_tokens SET first_used_at = coalesce(first_used_at, now())
       WHERE id = $1 AND revoked_at IS NULL`,
      [row.id],
    );
    if (marked.rowCount === 0) return null;
  }
  return { hostId: row.host_id, approvalStatus: row.approval_status };
}

/** A token that has neither expired nor been revoked. */
async function findUsable(
  on: Pick<Transaction, 'registrationToken'>,
  { tokenHash }: EnrolmentRequest,
  now: Date,
): Promise<RegistrationToken | null> {
  return on.registrationToken.findFirst({
    where: { tokenHash: ownBytes(tokenHash), revokedAt: null, expiresAt: { gt: now } },
  });
}

async function enrol(
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

/** When the allowance of a token would be full again after one more enrolment; null if the allowance is used up. */
function allowanceAfter(
  { enrolmentsWholeAt }: RegistrationToken,
  now: Date,
  { burst, perMinute }: EnrolmentLimits,
): Date | null {
  const stepMs = 60_000 / perMinute;
  const wholeMs = Math.max(enrolmentsWholeAt.getTime(), now.getTime()) + stepMs;
  return wholeMs <= now.getTime() + burst * stepMs ? new Date(Math.round(wholeMs)) : null;
}

/** A token whose allowance is used up. */
interface UsedUpToken {
  readonly id: string;
  readonly name: string;
  readonly isNoted: boolean;
}

/** The token of a request if it is valid and its allowance is used up. */
async function findUsedUp(
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
async function refuseTooMany(
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

function tooMany(
  { id, name }: { readonly id: string; readonly name: string },
  isFirst: boolean,
): EnrolmentResult {
  return { kind: 'too_many', tokenId: id, tokenName: name, isFirst };
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
      host: { tokens: { some: { revokedAt: null, firstUsedAt: null } } },
    },
    select: { hostId: true },
  });
  return use === null ? null : (use.hostId as HostId); // As above.
}

async function createHost(
  tx: Transaction,
  token: RegistrationToken,
  request: EnrolmentRequest,
  now: Date,
): Promise<EnrolmentResult> {
  const { hostId, hostname, machineId, ipAddress, staleAfterSeconds } = request;
  const { osFamily, osName, osMajor, osVersion, architecture } = request;
  const conflict = await findMachineIdConflict(statementsIn(tx), machineId, hostId);
  const approvalStatus: ApprovalStatus = token.autoApprove && conflict === null ? 'approved' : 'pending';
  await tx.host.createMany({
    data: {
      id: hostId,
      onboardingMode: 'agent',
      approvalStatus,
      displayName: [...hostname].slice(0, longestDisplayName).join(''),
      hostname,
      machineId,
      machineIdConflictWith: conflict,
      ipAddress,
      registrationTokenId: token.id,
      createdAt: now,
    },
  });
  await tx.hostContact.createMany({ data: { hostId, lastSeenAt: now, staleAfterSeconds } });
  await tx.hostState.createMany({ data: { hostId, osFamily, osName, osMajor, osVersion, architecture } });
  await insertAccessToken(tx, hostId, request);
  return { kind: 'enrolled', hostId, approvalStatus };
}

/**
 * Enrols a host again with a token issued for it, and revokes its earlier access tokens. If another host has the
 * machine id, the host must be approved again, unless it already had this id, because then the conflict and the
 * approval are known.
 */
async function enrolAgain(
  tx: Transaction,
  hostId: HostId,
  request: EnrolmentRequest,
  now: Date,
): Promise<EnrolmentResult> {
  const { machineId, hostname } = request;
  // Lock order: the row before the machine id, as in matching. Inserts of rows that refer to the host need not wait.
  await lockRow(tx, 'hosts', hostId, 'noKeyUpdate');
  const before = await tx.host.findUnique({ where: { id: hostId }, select: { machineId: true } });
  await tx.host.updateMany({ where: { id: hostId }, data: { machineId, hostname } });
  if (machineKey(before?.machineId ?? '') !== machineKey(machineId)) {
    const conflict = await findMachineIdConflict(statementsIn(tx), machineId, hostId);
    await tx.host.updateMany({
      where: { id: hostId },
      data: {
        machineIdConflictWith: conflict,
        ...(conflict === null ? {} : { approvalStatus: 'pending' }),
      },
    });
  }
  return replaceToken(tx, hostId, request, now);
}

async function replaceToken(
  tx: Transaction,
  hostId: HostId,
  request: EnrolmentRequest,
  now: Date,
): Promise<EnrolmentResult> {
  await lockRow(tx, 'hosts', hostId, 'update');
  const host = await tx.host.findUnique({ where: { id: hostId }, select: { approvalStatus: true } });
  if (host === null) return { kind: 'refused' };
  await tx.hostAccessToken.updateMany({ where: { hostId, revokedAt: null }, data: { revokedAt: now } });
  await insertAccessToken(tx, hostId, request);
  // Only these stores write these values.
  return { kind: 'enrolled', hostId, approvalStatus: host.approvalStatus as ApprovalStatus };
}

async function insertAccessToken(tx: Transaction, hostId: HostId, request: EnrolmentRequest): Promise<void> {
  await tx.hostAccessToken.createMany({
    data: { id: request.accessTokenId, hostId, tokenHash: ownBytes(request.accessTokenHash) },
  });
}
