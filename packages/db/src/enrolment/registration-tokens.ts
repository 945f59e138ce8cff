import { AppError, type HostId, type RegistrationTokenId } from '@plimsoll/model';
import type { AuditActor } from '../audit/audit-events.ts';
import { recordAuditEventBySql } from '../audit/record-by-sql.ts';
import { type Database, inTransaction, type Transaction } from '../database.ts';
import type { RegistrationToken as RegistrationTokenRow } from '../generated/client.ts';
import { lockHost } from '../hosts/lock-host.ts';
import { isUuid } from '../uuid.ts';

/** What is known of a registration token; the secret itself is not. */
export interface RegistrationToken {
  readonly id: RegistrationTokenId;
  readonly name: string;
  readonly autoApprove: boolean;
  readonly maxUses: number;
  readonly uses: number;
  /** The one host it may enrol again, if it was issued for one. */
  readonly hostId: HostId | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

/** A registration token to be. */
export interface NewRegistrationToken {
  readonly id: RegistrationTokenId;
  readonly name: string;
  /** SHA-256 of the secret. */
  readonly tokenHash: Uint8Array<ArrayBuffer>;
  readonly autoApprove: boolean;
  readonly maxUses: number;
  readonly hostId: string | null;
  readonly expiresAt: Date;
}

/** The tokens hosts enrol with. */
export interface RegistrationTokenStore {
  /** Throws `not_found` when it is for a host that does not exist. */
  create(token: NewRegistrationToken, by: AuditActor): Promise<RegistrationToken>;
  /** All of them, newest first. */
  list(): Promise<readonly RegistrationToken[]>;
  /** Ends a token; false when there is none of that id. */
  revoke(id: string, by: AuditActor): Promise<boolean>;
}

/** The registration tokens of one database. */
export function createRegistrationTokenStore({ prisma, pool }: Database): RegistrationTokenStore {
  return {
    async create(token, by) {
      await inTransaction(pool, (tx) => insertToken(tx, token, by));
      return toToken(await prisma.registrationToken.findUniqueOrThrow({ where: { id: token.id } }));
    },
    async list() {
      return (await prisma.registrationToken.findMany({ orderBy: { id: 'desc' } })).map(toToken);
    },
    async revoke(id, by) {
      return isUuid(id) && inTransaction(pool, (tx) => revoke(tx, id, by));
    },
  };
}

async function insertToken(tx: Transaction, token: NewRegistrationToken, by: AuditActor): Promise<void> {
  const { id, name, tokenHash, autoApprove, maxUses, hostId, expiresAt } = token;
  if (hostId !== null && !(isUuid(hostId) && (await lockHost(tx, hostId)))) {
    throw new AppError('not_found', 'No host has this id.');
  }
  await tx.query(
    `INSERT INTO registration_tokens (id, name, token_hash, auto_approve, max_uses, host_id, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, name, tokenHash, autoApprove, maxUses, hostId, expiresAt],
  );
  await recordAuditEventBySql(tx, {
    action: 'registration_token.created',
    actor: by,
    target: { kind: 'registration_token', id, name },
    details: {
      auto_approve: autoApprove,
      max_uses: maxUses,
      host_id: hostId,
      expires_at: expiresAt.toISOString(),
    },
  });
}

async function revoke(tx: Transaction, id: string, by: AuditActor): Promise<boolean> {
  const { rows } = await tx.query<{ name: string; revoked: boolean }>(
    'SELECT name, revoked_at IS NOT NULL AS revoked FROM registration_tokens WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  const token = rows[0];
  if (token === undefined) return false;
  if (token.revoked) return true;
  await tx.query('UPDATE registration_tokens SET revoked_at = now() WHERE id = $1', [id]);
  const target = { kind: 'registration_token', id, name: token.name } as const;
  await recordAuditEventBySql(tx, { action: 'registration_token.revoked', actor: by, target, details: {} });
  return true;
}

function toToken(row: RegistrationTokenRow): RegistrationToken {
  const { id, name, autoApprove, maxUses, uses, hostId, createdAt, expiresAt, revokedAt } = row;
  // Ids are written by these stores alone.
  return {
    id: id as RegistrationTokenId,
    name,
    autoApprove,
    maxUses,
    uses,
    hostId: hostId as HostId | null, // Likewise.
    createdAt,
    expiresAt,
    revokedAt,
  };
}
