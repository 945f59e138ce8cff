import { type HostScope, tagsOfScope, type UserId, type UserRole, userRoles } from '@plimsoll/model';
import { z } from 'zod';
import { ownBytes } from '../core/bytes.ts';
import { type Database, isUuid } from '../core/database.ts';
import { databaseTime, inTransaction, type Transaction } from '../core/transaction.ts';
import type { Invitation as InvitationRow } from '../generated/client.ts';
import { type AuditActor, recordAuditEvent } from './audit-events.ts';
import { lockUsers, requireFreeEmail, requireUnlimitedAdmin, scopeOfRow, scopeRow } from './change-user.ts';

/** An open invitation, without its token. */
export interface Invitation {
  readonly id: string;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  readonly scope: HostScope;
  /** E-mail address of the admin, at that time. */
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** The fields of a new invitation. */
export interface NewInvitation extends Pick<Invitation, 'id' | 'email' | 'name' | 'role' | 'scope'> {
  /** SHA-256 of the token. */
  readonly tokenHash: Uint8Array;
  readonly lifetimeHours: number;
}

/** What the invited person adds. */
export interface AcceptedInvitation {
  /** Id of the new user. */
  readonly userId: UserId;
  readonly name: string;
  readonly passwordHash: string;
}

/** Stores invitations. All times are of the database clock. */
export interface InvitationStore {
  /**
   * Replaces an invitation of the same e-mail address. Throws `conflict` if a user has the address, or for an admin
   * with a limited scope.
   */
  create(invitation: NewInvitation, by: AuditActor): Promise<Invitation>;
  /** Those that have not expired, by e-mail address. */
  list(): Promise<readonly Invitation[]>;
  /** Null if the token is unknown, used or revoked, or the invitation has expired. */
  findByToken(tokenHash: Uint8Array): Promise<Invitation | null>;
  /** Revokes an invitation; false if there is none. */
  revoke(id: string, by: AuditActor): Promise<boolean>;
  /**
   * Creates the user and ends the invitation; false where `findByToken` has null: of several calls one succeeds. Throws
   * `conflict` if a user has the e-mail address by now.
   */
  accept(tokenHash: Uint8Array, accepted: AcceptedInvitation, by: AuditActor): Promise<boolean>;
}

/** The invitations of one database. */
export function createInvitationStore({ prisma }: Database): InvitationStore {
  return {
    create: (invitation, by) => inTransaction(prisma, (tx) => insert(tx, invitation, by)),
    async list() {
      const open = { expiresAt: { gt: await databaseTime(prisma) } };
      return (await prisma.invitation.findMany({ where: open, orderBy: { email: 'asc' } })).map(toInvitation);
    },
    findByToken: (tokenHash) => findOpen(prisma, tokenHash),
    async revoke(id, by) {
      if (!isUuid(id)) return false;
      return inTransaction(prisma, async (tx) => {
        const found = await tx.invitation.findUnique({ where: { id } });
        if (found === null || (await tx.invitation.deleteMany({ where: { id } })).count === 0) return false;
        const target = { kind: 'invitation', id, name: found.email } as const;
        await recordAuditEvent(tx, { action: 'invitation.revoked', actor: by, target, details: {} });
        return true;
      });
    },
    accept: (tokenHash, accepted, by) => inTransaction(prisma, (tx) => accept(tx, tokenHash, accepted, by)),
  };
}

async function insert(tx: Transaction, invitation: NewInvitation, by: AuditActor): Promise<Invitation> {
  const { id, email, name, role, scope, tokenHash, lifetimeHours } = invitation;
  await lockUsers(tx);
  await requireFreeEmail(tx, email, id);
  requireUnlimitedAdmin(role, scope);
  const createdAt = await databaseTime(tx);
  const expiresAt = new Date(createdAt.getTime() + lifetimeHours * 3_600_000);
  const row = { id, email, name, role, ...scopeRow(scope), invitedBy: by.name, createdAt, expiresAt };
  await tx.invitation.deleteMany({ where: { email } });
  await tx.invitation.createMany({ data: { ...row, tokenHash: ownBytes(tokenHash) } });
  await recordAuditEvent(tx, {
    action: 'invitation.created',
    actor: by,
    target: { kind: 'invitation', id, name: email },
    details: { role, tags: tagsOfScope(scope), expires_at: expiresAt.toISOString() },
  });
  return toInvitation(row);
}

async function accept(
  tx: Transaction,
  tokenHash: Uint8Array,
  { userId, name, passwordHash }: AcceptedInvitation,
  by: AuditActor,
): Promise<boolean> {
  await lockUsers(tx);
  const invitation = await findOpen(tx, tokenHash);
  if (invitation === null) return false;
  const { id, email, role, scope } = invitation;
  await requireFreeEmail(tx, email, userId);
  // A revocation does not take the lock: without the row there is nothing to accept.
  if ((await tx.invitation.deleteMany({ where: { id } })).count === 0) return false;
  await tx.user.createMany({ data: { id: userId, email, name, passwordHash, role, ...scopeRow(scope) } });
  await recordAuditEvent(tx, {
    action: 'invitation.accepted',
    actor: by,
    target: { kind: 'user', id: userId, name: email },
    details: { name, role, tags: tagsOfScope(scope), invited_by: invitation.invitedBy },
  });
  return true;
}

async function findOpen(
  on: Pick<Transaction, 'invitation' | '$queryRaw'>,
  tokenHash: Uint8Array,
): Promise<Invitation | null> {
  const row = await on.invitation.findUnique({ where: { tokenHash: ownBytes(tokenHash) } });
  if (row === null || row.expiresAt <= (await databaseTime(on))) return null;
  return toInvitation(row);
}

const roleColumn = z.enum(userRoles);

function toInvitation(row: Omit<InvitationRow, 'tokenHash'>): Invitation {
  const { id, email, name, role, invitedBy, createdAt, expiresAt } = row;
  const scope = scopeOfRow(row);
  return { id, email, name, role: roleColumn.parse(role), scope, invitedBy, createdAt, expiresAt };
}
