import { type ApprovalStatus, type HostId, machineKey, type OsFamily } from '@plimsoll/model';
import { recordAuditEventBySql } from '../audit/record-by-sql.ts';
import { type Database, inTransaction, type Transaction } from '../database.ts';
import { findMachineIdConflict } from '../hosts/machine-id-lock.ts';
import { later } from '../later.ts';

/** What an agent says of its host when it enrols, with the ids and hashes made for it. */
export interface EnrolmentRequest {
  /** SHA-256 of the registration token. */
  readonly tokenHash: Uint8Array;
  /** SHA-256 of the Idempotency-Key, if one was sent. */
  readonly idempotencyKeyHash: Uint8Array | null;
  /** Id of the host if a new one comes of it. */
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
  /** From where, and in which request, it was asked for. */
  readonly origin: { readonly ipAddress: string | null; readonly requestId: string | null };
}

/** How many hosts may enrol with one registration token. */
export interface EnrolmentLimits {
  /** At once. */
  readonly burst: number;
  /** In a minute, after those. */
  readonly perMinute: number;
}

/** The limits where nothing else is set: docs/configuration.md lists them. */
export const defaultEnrolmentLimits: EnrolmentLimits = { burst: 100, perMinute: 300 };

/** How an enrolment ended. Why one was refused is nobody's business who has no valid token. */
export type EnrolmentResult =
  | { readonly kind: 'enrolled'; readonly hostId: HostId; readonly approvalStatus: ApprovalStatus }
  | { readonly kind: 'refused' }
  /** The token is valid, and too many hosts enrol with it. `isFirst`: it was noted now, once in an hour. */
  | {
      readonly kind: 'too_many';
      readonly tokenId: string;
      readonly tokenName: string;
      readonly isFirst: boolean;
    };

/** A host that showed a valid access token. */
export interface AuthenticatedHost {
  readonly hostId: HostId;
  readonly approvalStatus: ApprovalStatus;
}

/** How agents' hosts come in and show who they are. */
export interface EnrolmentStore {
  /**
   * Uses a registration token once, by the rules of POST /agent/register, in one transaction. Where too many hosts enrol
   * with it, nothing is used, and the audit log has one entry an hour.
   */
  enrol(request: EnrolmentRequest): Promise<EnrolmentResult>;
  /** The host that a host access token belongs to; null when it is unknown or ended. */
  authenticateHost(tokenHash: Uint8Array): Promise<AuthenticatedHost | null>;
}

/** The enrolments of one database. */
export function createEnrolmentStore(
  { pool }: Database,
  limits: EnrolmentLimits = defaultEnrolmentLimits,
): EnrolmentStore {
  return {
    async enrol(request) {
      // A look without a lock: those that are refused do not wait for each other, or for a connection.
      const tooMany = await findUsedUp(pool, request, limits);
      if (tooMany !== null) return refuseTooMany(pool, tooMany, request);
      return inTransaction(pool, (tx) => enrol(tx, request, limits));
    },
    async authenticateHost(tokenHash) {
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
        // Only a token that was never used may be replaced by asking again with the same Idempotency-Key.
        const marked = await pool.query(
          `UPDATE host_access_tokens SET first_used_at = coalesce(first_used_at, now())
           WHERE id = $1 AND revoked_at IS NULL`,
          [row.id],
        );
        if (marked.rowCount === 0) return null;
      }
      return { hostId: row.host_id, approvalStatus: row.approval_status };
    },
  };
}

interface UsableToken {
  readonly id: string;
  readonly name: string;
  readonly auto_approve: boolean;
  readonly host_id: HostId | null;
  readonly exhausted: boolean;
}

async function enrol(
  tx: Transaction,
  request: EnrolmentRequest,
  limits: EnrolmentLimits,
): Promise<EnrolmentResult> {
  // The row lock makes two uses at the same moment one after the other.
  const { rows } = await tx.query<UsableToken>(
    `SELECT id, name, auto_approve, host_id, uses >= max_uses AS exhausted FROM registration_tokens
     WHERE token_hash = $1 AND revoked_at IS NULL AND expires_at > now() FOR UPDATE`,
    [request.tokenHash],
  );
  const token = rows[0];
  if (token === undefined) return { kind: 'refused' };
  const earlier = await findEarlierUse(tx, token, request);
  if (earlier === null && token.exhausted) return { kind: 'refused' };
  // A repeated request as well: it leaves a host token and an entry of the audit log behind.
  if (!(await takeEnrolment(tx, token, limits))) return tooMany(token, false);
  if (earlier !== null) return recorded(tx, token, request, await replaceToken(tx, earlier, request));
  await tx.query('UPDATE registration_tokens SET uses = uses + 1 WHERE id = $1', [token.id]);
  const enrolled =
    token.host_id === null
      ? await createHost(tx, token, request)
      : await enrolAgain(tx, token.host_id, request);
  if (enrolled.kind === 'enrolled' && request.idempotencyKeyHash !== null) {
    // A key whose host has used its access token says nothing of that host any more: it is the newest host's.
    await tx.query(
      `INSERT INTO enrolments (token_id, key_hash, host_id) VALUES ($1, $2, $3)
       ON CONFLICT (token_id, key_hash) DO UPDATE SET host_id = excluded.host_id`,
      [token.id, request.idempotencyKeyHash, enrolled.hostId],
    );
  }
  return recorded(tx, token, request, enrolled);
}

/** Seconds by which one enrolment moves the time at which the allowance is whole, and by which it may lie ahead. */
function allowanceValues({ burst, perMinute }: EnrolmentLimits): readonly [number, number] {
  return [60 / perMinute, (burst * 60) / perMinute];
}

/** Takes one enrolment off a token's allowance; false where none is left. */
async function takeEnrolment(
  tx: Transaction,
  { id }: UsableToken,
  limits: EnrolmentLimits,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE registration_tokens SET enrolments_whole_at = ${later('enrolments_whole_at', '$2')}
     WHERE id = $1 AND ${later('enrolments_whole_at', '$2')} <= ${later('now()', '$3')}`,
    [id, ...allowanceValues(limits)],
  );
  return rowCount === 1;
}

/** A token that was used too often lately. */
interface UsedUpToken {
  readonly id: string;
  readonly name: string;
  readonly isNoted: boolean;
}

/** The token of a request where it is valid and its allowance used up. */
async function findUsedUp(
  on: Pick<Transaction, 'query'>,
  { tokenHash, idempotencyKeyHash }: EnrolmentRequest,
  limits: EnrolmentLimits,
): Promise<UsedUpToken | null> {
  const { rows } = await on.query<UsedUpToken>(
    `SELECT id, name, coalesce(refusal_noted_at > now() - interval '1 hour', false) AS "isNoted"
     FROM registration_tokens
     WHERE token_hash = $1 AND revoked_at IS NULL AND expires_at > now()
       AND ${later('enrolments_whole_at', '$3')} > ${later('now()', '$4')}
       AND (uses < max_uses OR EXISTS (SELECT FROM enrolments e WHERE e.token_id = id AND e.key_hash = $2))`,
    [tokenHash, idempotencyKeyHash, ...allowanceValues(limits)],
  );
  return rows[0] ?? null;
}

/** Notes that too many hosts enrol with a token, where that was not noted for an hour. */
async function refuseTooMany(
  pool: Database['pool'],
  token: UsedUpToken,
  { hostname, origin }: EnrolmentRequest,
): Promise<EnrolmentResult> {
  if (token.isNoted) return tooMany(token, false);
  return inTransaction(pool, async (tx) => {
    const { rowCount } = await tx.query(
      `UPDATE registration_tokens SET refusal_noted_at = now()
       WHERE id = $1 AND coalesce(refusal_noted_at <= now() - interval '1 hour', true)`,
      [token.id],
    );
    if (rowCount === 0) return tooMany(token, false);
    await recordAuditEventBySql(tx, {
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

/** Notes an enrolment that came about; it is the host itself that did it. */
async function recorded(
  tx: Transaction,
  token: UsableToken,
  { hostname, origin }: EnrolmentRequest,
  result: EnrolmentResult,
): Promise<EnrolmentResult> {
  if (result.kind !== 'enrolled') return result;
  await recordAuditEventBySql(tx, {
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

/** The host that the same token and Idempotency-Key made before, if its access token was never used. */
async function findEarlierUse(
  tx: Transaction,
  token: UsableToken,
  request: EnrolmentRequest,
): Promise<HostId | null> {
  if (request.idempotencyKeyHash === null) return null;
  const { rows } = await tx.query<{ host_id: HostId }>(
    `SELECT e.host_id FROM enrolments e
     WHERE e.token_id = $1 AND e.key_hash = $2
       AND EXISTS (SELECT FROM host_access_tokens t
                   WHERE t.host_id = e.host_id AND t.revoked_at IS NULL AND t.first_used_at IS NULL)`,
    [token.id, request.idempotencyKeyHash],
  );
  return rows[0]?.host_id ?? null;
}

async function createHost(
  tx: Transaction,
  token: UsableToken,
  request: EnrolmentRequest,
): Promise<EnrolmentResult> {
  const conflict = await findMachineIdConflict(tx, request.machineId, request.hostId);
  const approvalStatus: ApprovalStatus = token.auto_approve && conflict === null ? 'approved' : 'pending';
  await tx.query(
    `INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname, machine_id,
                        machine_id_conflict_with, ip_address, registration_token_id)
     VALUES ($1, 'agent', $2, left($3, 200), $3, $4, $5, $6, $7)`,
    [
      request.hostId,
      approvalStatus,
      request.hostname,
      request.machineId,
      conflict,
      request.ipAddress,
      token.id,
    ],
  );
  await tx.query(
    `INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds)
     SELECT id, created_at, $2 FROM hosts WHERE id = $1`,
    [request.hostId, request.staleAfterSeconds],
  );
  await tx.query(
    `INSERT INTO host_state (host_id, os_family, os_name, os_major, os_version, architecture)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [
      request.hostId,
      request.osFamily,
      request.osName,
      request.osMajor,
      request.osVersion,
      request.architecture,
    ],
  );
  await insertAccessToken(tx, request.hostId, request);
  return { kind: 'enrolled', hostId: request.hostId, approvalStatus };
}

/**
 * A token issued for a host enrols that host again: what it had before ends. A machine id that is another host's makes it
 * wait for approval, unless the host had that id before: then its conflict and its approval are known already.
 */
async function enrolAgain(
  tx: Transaction,
  hostId: HostId,
  request: EnrolmentRequest,
): Promise<EnrolmentResult> {
  // The row before the machine id, as matching takes them; what refers to the host need not wait for it.
  const { rows } = await tx.query<{ machine_id: string }>(
    'SELECT machine_id FROM hosts WHERE id = $1 FOR NO KEY UPDATE',
    [hostId],
  );
  const before = rows[0]?.machine_id ?? '';
  await tx.query('UPDATE hosts SET machine_id = $2, hostname = $3 WHERE id = $1', [
    hostId,
    request.machineId,
    request.hostname,
  ]);
  if (machineKey(before) !== machineKey(request.machineId)) {
    const conflict = await findMachineIdConflict(tx, request.machineId, hostId);
    await tx.query(
      `UPDATE hosts SET machine_id_conflict_with = $2::uuid,
         approval_status = CASE WHEN $2::uuid IS NULL THEN approval_status ELSE 'pending' END WHERE id = $1`,
      [hostId, conflict],
    );
  }
  return replaceToken(tx, hostId, request);
}

async function replaceToken(
  tx: Transaction,
  hostId: HostId,
  request: EnrolmentRequest,
): Promise<EnrolmentResult> {
  const { rows } = await tx.query<{ approval_status: ApprovalStatus }>(
    'SELECT approval_status FROM hosts WHERE id = $1 FOR UPDATE',
    [hostId],
  );
  const host = rows[0];
  if (host === undefined) return { kind: 'refused' };
  await tx.query(
    'UPDATE host_access_tokens SET revoked_at = now() WHERE host_id = $1 AND revoked_at IS NULL',
    [hostId],
  );
  await insertAccessToken(tx, hostId, request);
  return { kind: 'enrolled', hostId, approvalStatus: host.approval_status };
}

async function insertAccessToken(tx: Transaction, hostId: HostId, request: EnrolmentRequest): Promise<void> {
  await tx.query('INSERT INTO host_access_tokens (id, host_id, token_hash) VALUES ($1, $2, $3)', [
    request.accessTokenId,
    hostId,
    request.accessTokenHash,
  ]);
}
