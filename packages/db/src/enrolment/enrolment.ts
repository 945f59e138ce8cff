import type { ApprovalStatus, HostId } from '@plimsoll/model';
import { inTransaction } from '../connection/transaction.ts';
import type { Database } from '../database.ts';
import { findUsedUp, refuseTooMany } from './enrolment-allowance.ts';
import {
  defaultEnrolmentLimits,
  type EnrolmentLimits,
  type EnrolmentRequest,
  type EnrolmentResult,
} from './enrolment-request.ts';
import { enrol } from './use-token.ts';

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
