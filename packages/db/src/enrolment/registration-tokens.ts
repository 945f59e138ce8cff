import { AppError, type HostId, type RegistrationTokenId } from '@plimsoll/model';
import { type AuditActor, recordAuditEvent } from '../audit/audit-events.ts';
import { lockHost, lockRow } from '../connection/locks.ts';
import { databaseTime, inTransaction, type Transaction } from '../connection/transaction.ts';
import { type Database, isUuid } from '../database.ts';
import type { RegistrationToken as RegistrationTokenRow } from '../generated/client.ts';

/** A registration token without its secret. */
export interface RegistrationToken {
  readonly id: RegistrationTokenId;
  readonly name: string;
  readonly autoApprove: boolean;
  readonly maxUses: number;
  readonly uses: number;
  /** The only host that it may enrol again, if it was issued for one. */
  readonly hostId: HostId | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly revokedAt: Date | null;
}

/** The fields of a new registration token. */
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

/** Stores registration tokens. */
export interface RegistrationTokenStore {
  /** Throws `not_found` if the token is for a host that does not exist. */
  create(token: NewRegistrationToken, by: AuditActor): Promise<RegistrationToken>;
  /** All tokens, newest first. */
  list(): Promise<readonly RegistrationToken[]>;
  /** Revokes a token; false if it does not exist. */
  revoke(id: string, by: AuditActor): Promise<boolean>;
}

/** The registration tokens of one database. */
export function createRegistrationTokenStore({ prisma }: Database): RegistrationTokenStore {
  return {
    async create(token, by) {
      await inTransaction(prisma, (tx) => insertToken(tx, token, by));
      return toToken(await prisma.registrationToken.findUniqueOrThrow({ where: { id: token.id } }));
    },
    async list() {
      return (await prisma.registrationToken.findMany({ orderBy: { id: 'desc' } })).map(toToken);
    },
    async revoke(id, by) {
      return isUuid(id) && inTransaction(prisma, (tx) => revoke(tx, id, by));
    },
  };
}

async function insertToken(tx: Transaction, token: NewRegistrationToken, by: AuditActor): Promise<void> {
  const { id, name, tokenHash, autoApprove, maxUses, hostId, expiresAt } = token;
  if (hostId !== null && !(await lockHost(tx, hostId))) {
    throw new AppError('not_found', 'No host has this id.');
  }
  await tx.registrationToken.createMany({
    data: { id, name, tokenHash, autoApprove, maxUses, hostId, expiresAt },
  });
  await recordAuditEvent(tx, {
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
  await lockRow(tx, 'registration_tokens', id, 'noKeyUpdate');
  const token = await tx.registrationToken.findUnique({
    where: { id },
    select: { name: true, revokedAt: true },
  });
  if (token === null) return false;
  if (token.revokedAt !== null) return true;
  await tx.registrationToken.updateMany({ where: { id }, data: { revokedAt: await databaseTime(tx) } });
  const target = { kind: 'registration_token', id, name: token.name } as const;
  await recordAuditEvent(tx, { action: 'registration_token.revoked', actor: by, target, details: {} });
  return true;
}

function toToken(row: RegistrationTokenRow): RegistrationToken {
  const { id, name, autoApprove, maxUses, uses, hostId, createdAt, expiresAt, revokedAt } = row;
  // Only these stores write ids.
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
