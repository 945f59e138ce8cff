import type { ApprovalStatus, HostId } from '@plimsoll/model';
import { ownBytes } from '../../core/bytes.ts';
import type { Database } from '../../core/database.ts';
import { gatherCalls } from '../../core/gather-calls.ts';
import { inTransaction } from '../../core/transaction.ts';
import { findUsedUp, refuseTooMany } from './enrolment-allowance.ts';
import {
  defaultEnrolmentLimits,
  type EnrolmentLimits,
  type EnrolmentRequest,
  type EnrolmentResult,
} from './enrolment-request.ts';
import { endReplacedToken, offerHostToken, type UsedHostToken } from './rotate-host-token.ts';
import { type AgentAllowance, agentAllowance } from './upload-allowances.ts';
import { enrol } from './use-token.ts';

/** A host that sent a valid access token. */
export interface AuthenticatedHost {
  readonly hostId: HostId;
  readonly approvalStatus: ApprovalStatus;
  readonly hostname: string;
  readonly tokenId: string;
  /** Seconds since the token was given to the host. */
  readonly tokenAgeSeconds: number;
  /** For uploads by its agent: they would need a second statement. */
  readonly allowance: AgentAllowance;
}

/** The host of a token that has ended. */
export interface EndedToken {
  readonly hostId: HostId;
  /** Whether another token has replaced it. */
  readonly replaced: boolean;
  /** Whether the host is retired. */
  readonly retired: boolean;
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
  /**
   * Gives a host a new token, which replaces the one of the request when it is first used (rotate-host-token.ts). False
   * if the request's token has ended.
   */
  offerToken(host: UsedHostToken, tokenHash: Uint8Array<ArrayBuffer>): Promise<boolean>;
  /**
   * The host to which a token that has ended belonged, and whether another one has replaced it: then somebody else may
   * have a copy. Null if the token is unknown or has not ended.
   */
  hostOfEnded(tokenHash: Uint8Array): Promise<EndedToken | null>;
  /** The display name of a host; null without such a host. */
  hostName(id: HostId): Promise<string | null>;
}

/** The enrolments of one database. */
export function createEnrolmentStore(
  database: Database,
  limits: EnrolmentLimits = defaultEnrolmentLimits,
): EnrolmentStore {
  const { prisma } = database;
  return {
    async enrol(request) {
      // First without a lock, so that refused requests do not wait for each other.
      const usedUp = await findUsedUp(prisma, request, limits);
      if (usedUp !== null) return refuseTooMany(prisma, usedUp, request);
      return inTransaction(prisma, (tx) => enrol(tx, request, limits));
    },
    authenticateHost: gatherCalls({
      run: (tokenHashes) => authenticateHosts(database, tokenHashes),
      most: tokensPerQuery,
      // It locks nothing and waits for nothing, so that fewer and larger statements cost less time.
      runsAtOnce: 1,
    }),
    offerToken: (host, tokenHash) => offerHostToken(database, host, tokenHash),
    async hostOfEnded(tokenHash) {
      const token = await prisma.hostAccessToken.findUnique({
        where: { tokenHash: new Uint8Array(tokenHash) },
        select: { id: true, hostId: true, revokedAt: true, host: { select: { retiredAt: true } } },
      });
      if (token === null || token.revokedAt === null) return null;
      const successors = await prisma.hostAccessToken.count({
        where: { replacesId: token.id, firstUsedAt: { not: null } },
      });
      const hostId = token.hostId as HostId; // Written by this store.
      return { hostId, replaced: successors > 0, retired: token.host.retiredAt !== null };
    },
    async hostName(id) {
      const host = await prisma.host.findUnique({ where: { id }, select: { displayName: true } });
      return host?.displayName ?? null;
    },
  };
}

/** Tokens looked up together. */
const tokensPerQuery = 100;

interface TokenRow extends Omit<AuthenticatedHost, 'allowance'>, AgentAllowance {
  readonly replacesId: string | null;
  /** In hexadecimal. */
  readonly hash: string;
  readonly used: boolean;
}

/** Authenticates many agents with one statement. Uses pg only, because every report runs it (docs/decisions/database-door.md). */
async function authenticateHosts(
  { pool, prisma }: Database,
  tokenHashes: readonly Uint8Array[],
): Promise<readonly (AuthenticatedHost | null)[]> {
  const { rows } = await pool.query<TokenRow>({
    name: 'authenticate-hosts',
    text: `SELECT t.id AS "tokenId", encode(t.token_hash, 'hex') AS hash, t.host_id AS "hostId", h.hostname,
             h.approval_status AS "approvalStatus", t.first_used_at IS NOT NULL AS used, t.replaces_id AS "replacesId",
             extract(epoch FROM now() - t.created_at)::float8 AS "tokenAgeSeconds", ${agentAllowance.columns}
           FROM host_access_tokens t JOIN hosts h ON h.id = t.host_id ${agentAllowance.join}
           WHERE t.token_hash = ANY($1::bytea[]) AND t.revoked_at IS NULL`,
    values: [tokenHashes],
  });
  const use = ({ replacesId, hash, ...row }: TokenRow) =>
    replacesId === null
      ? markUsed(pool, row.tokenId)
      : endReplacedToken({ prisma }, { ...row, replacesId, tokenHash: ownBytes(Buffer.from(hash, 'hex')) });
  const byHash = new Map(rows.map((row) => [row.hash, row]));
  return Promise.all(
    tokenHashes.map(async (tokenHash) => {
      const row = byHash.get(Buffer.from(tokenHash).toString('hex'));
      if (row === undefined || !(row.used || (await use(row)))) return null;
      const { hostId, approvalStatus, hostname, tokenId, tokenAgeSeconds, uploads, bytes, shares } = row;
      const allowance = { uploads, bytes, shares };
      return { hostId, approvalStatus, hostname, tokenId, tokenAgeSeconds, allowance };
    }),
  );
}

/**
 * Stores that a token was used: only an unused token may be replaced by a repeated request with the same
 * Idempotency-Key. False if it was revoked meanwhile.
 */
async function markUsed(pool: Database['pool'], id: string): Promise<boolean> {
  const marked = await pool.query(
    `UPDATE host_access_tokens SET first_used_at = coalesce(first_used_at, now())
     WHERE id = $1 AND revoked_at IS NULL`,
    [id],
  );
  return marked.rowCount === 1;
}
