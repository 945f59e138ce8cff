import {
  AppError,
  type HostExposure,
  type HostId,
  type HostScope,
  isInScope,
  type RegistrationTokenId,
  tagsOfScope,
} from '@plimsoll/model';
import { type Database, isUuid } from '../../core/database.ts';
import { lockHost, lockRow } from '../../core/locks.ts';
import { databaseTime, inTransaction, type Transaction } from '../../core/transaction.ts';
import type { RegistrationToken as RegistrationTokenRow } from '../../generated/client.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';
import { retired } from '../hosts/locked-hosts.ts';

/** A registration token without its secret. */
export interface RegistrationToken {
  readonly id: RegistrationTokenId;
  readonly name: string;
  readonly autoApprove: boolean;
  readonly maxUses: number;
  readonly uses: number;
  /** The only host that it may enrol again, if it was issued for one. */
  readonly hostId: HostId | null;
  /** Hosts that it creates get these. */
  readonly tags: readonly string[];
  /** The exposure of hosts that it creates; null: not stated. */
  readonly exposure: HostExposure | null;
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
  /** None if omitted. */
  readonly tags?: readonly string[];
  /** Not stated if omitted. */
  readonly exposure?: Exclude<HostExposure, 'unknown'> | null;
  readonly expiresAt: Date;
}

/**
 * Stores registration tokens. A token is in a scope if the hosts that it creates are, or if its own host is.
 */
export interface RegistrationTokenStore {
  /** Throws `not_found` if the token is for a host that does not exist or is not in the scope, `host_retired` if it is retired. */
  create(scope: HostScope, token: NewRegistrationToken, by: AuditActor): Promise<RegistrationToken>;
  /** The tokens of a scope, newest first. */
  list(scope: HostScope): Promise<readonly RegistrationToken[]>;
  /** Revokes a token; false if it does not exist or is not in the scope. */
  revoke(scope: HostScope, id: string, by: AuditActor): Promise<boolean>;
}

/** The registration tokens of one database. */
export function createRegistrationTokenStore({ prisma }: Database): RegistrationTokenStore {
  return {
    async create(scope, token, by) {
      await inTransaction(prisma, (tx) => insertToken(tx, scope, token, by));
      return toToken(await prisma.registrationToken.findUniqueOrThrow({ where: { id: token.id } }));
    },
    async list(scope) {
      const tags = tagsOfScope(scope);
      const rows = await prisma.registrationToken.findMany({
        ...(tags === null
          ? {}
          : {
              where: {
                OR: [{ hostId: null, tags: { hasSome: tags } }, { host: { tags: { hasSome: tags } } }],
              },
            }),
        orderBy: { id: 'desc' },
      });
      return rows.map(toToken);
    },
    async revoke(scope, id, by) {
      return isUuid(id) && inTransaction(prisma, (tx) => revoke(tx, scope, id, by));
    },
  };
}

async function insertToken(
  tx: Transaction,
  scope: HostScope,
  token: NewRegistrationToken,
  by: AuditActor,
): Promise<void> {
  const { id, name, tokenHash, autoApprove, maxUses, hostId, tags = [], exposure = null, expiresAt } = token;
  if (hostId !== null) {
    const isLocked = await lockHost(tx, hostId);
    const host = isLocked
      ? await tx.host.findUnique({ where: { id: hostId }, select: { tags: true, approvalStatus: true } })
      : null;
    if (host === null || !isInScope(scope, host.tags))
      throw new AppError('not_found', 'No host has this id.');
    if (host.approvalStatus === 'retired') throw retired();
  }
  await tx.registrationToken.createMany({
    data: { id, name, tokenHash, autoApprove, maxUses, hostId, tags: [...tags], exposure, expiresAt },
  });
  await recordAuditEvent(tx, {
    action: 'registration_token.created',
    actor: by,
    target: { kind: 'registration_token', id, name },
    details: {
      auto_approve: autoApprove,
      max_uses: maxUses,
      host_id: hostId,
      tags,
      exposure,
      expires_at: expiresAt.toISOString(),
    },
  });
}

async function revoke(tx: Transaction, scope: HostScope, id: string, by: AuditActor): Promise<boolean> {
  await lockRow(tx, 'registration_tokens', id, 'noKeyUpdate');
  const token = await tx.registrationToken.findUnique({
    where: { id },
    select: { name: true, revokedAt: true, tags: true, host: { select: { tags: true } } },
  });
  if (token === null || !isInScope(scope, token.host?.tags ?? token.tags)) return false;
  if (token.revokedAt !== null) return true;
  await tx.registrationToken.updateMany({ where: { id }, data: { revokedAt: await databaseTime(tx) } });
  const target = { kind: 'registration_token', id, name: token.name } as const;
  await recordAuditEvent(tx, { action: 'registration_token.revoked', actor: by, target, details: {} });
  return true;
}

function toToken({ tokenHash: _, ...row }: RegistrationTokenRow): RegistrationToken {
  return {
    ...row,
    // Only these stores write ids and exposures.
    id: row.id as RegistrationTokenId,
    hostId: row.hostId as HostId | null,
    exposure: row.exposure as HostExposure | null,
  };
}
