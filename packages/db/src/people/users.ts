import { AppError, type HostScope, tagsOfScope, type UserId, type UserRole } from '@plimsoll/model';
import { type Database, isUuid } from '../core/database.ts';
import { databaseTime, inTransaction } from '../core/transaction.ts';
import type { User as UserRow } from '../generated/client.ts';
import { type AuditActor, recordAuditEvent } from './audit-events.ts';
import {
  changeUser,
  lockUsers,
  requireAnAdmin,
  requireFreeEmail,
  requireUnlimitedAdmin,
  scopeOfRow,
  scopeRow,
  type UserChanges,
} from './change-user.ts';

/** A user account. */
export interface User {
  readonly id: UserId;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  /** The hosts that exist for the user; never limited for an admin. */
  readonly scope: HostScope;
  /** Null: the user signs in with the OpenID Connect provider only. */
  readonly passwordHash: string | null;
  /** Sessions and tokens of another generation have ended. */
  readonly tokenGeneration: number;
  /** Since when the user has a second factor; null: none. */
  readonly secondFactorAt: Date | null;
  /** Since when the identity provider grants the user nothing; null: it does, or there is none. */
  readonly accessWithdrawnAt: Date | null;
  readonly disabledAt: Date | null;
  readonly lastLoginAt: Date | null;
  readonly createdAt: Date;
}

/** The fields of a new user. */
export type NewUser = Pick<User, 'id' | 'email' | 'name' | 'role' | 'scope'> & {
  readonly passwordHash: string;
};

/** Stores users and ends their sessions. */
export interface UserStore {
  anyUserExists(): Promise<boolean>;
  /** Creates the first user, an admin. Of several concurrent calls exactly one creates it; the others return null. */
  createFirstUser(user: Omit<NewUser, 'role' | 'scope'>, by: AuditActor): Promise<User | null>;
  /** Throws `conflict` if another user has the e-mail address, or for an admin with a limited scope. */
  create(user: NewUser, by: AuditActor): Promise<User>;
  /** Ordered by e-mail address; the page starts after `after`. */
  list(page: { readonly limit: number; readonly after: string | null }): Promise<readonly User[]>;
  count(): Promise<number>;
  /**
   * Changes a user. A change of role or password, or disabling, ends all of the user's sessions. Null if the user does
   * not exist. Throws `conflict` if no admin would remain, or if another user has the e-mail address.
   */
  update(id: string, changes: UserChanges, by: AuditActor): Promise<User | null>;
  /** Deletes a user; false if it does not exist. Throws `conflict` if no admin would remain. */
  delete(id: string, by: AuditActor): Promise<boolean>;
  /** @param email in lower case. */
  findByEmail(email: string): Promise<User | null>;
  findById(id: string): Promise<User | null>;
  /** Whether a password of the user works although local accounts are switched off. */
  isPasswordAllowed(id: UserId): Promise<boolean>;
  /** Lets a password of the user work until then, although local accounts are switched off. */
  allowPassword(user: Pick<User, 'id' | 'email'>, minutes: number, by: AuditActor): Promise<Date>;
  /** Sets the password and ends all of the user's sessions. */
  changePassword(id: UserId, passwordHash: string, by: AuditActor): Promise<void>;
}

/** The users of one database. */
export function createUserStore({ prisma }: Database): UserStore {
  return {
    async anyUserExists() {
      return (await prisma.user.findFirst({ select: { id: true } })) !== null;
    },
    async createFirstUser({ id, email, name, passwordHash }, by) {
      const created = await inTransaction(prisma, async (tx) => {
        // Concurrent inserts into an empty table do not conflict; only a lock orders them.
        await lockUsers(tx);
        if ((await tx.user.findFirst({ select: { id: true } })) !== null) return false;
        await tx.user.createMany({ data: { id, email, name, passwordHash, role: 'admin' } });
        const target = { kind: 'user', id, name: email } as const;
        await recordAuditEvent(tx, {
          action: 'setup.completed',
          actor: by,
          target,
          details: { role: 'admin' },
        });
        return true;
      });
      return created ? this.findById(id) : null;
    },
    async create(user, by) {
      await inTransaction(prisma, async (tx) => {
        await lockUsers(tx);
        await requireFreeEmail(tx, user.email, user.id);
        const { id, email, name, passwordHash, role, scope } = user;
        requireUnlimitedAdmin(role, scope);
        await tx.user.createMany({ data: { id, email, name, passwordHash, role, ...scopeRow(scope) } });
        await recordAuditEvent(tx, {
          action: 'user.created',
          actor: by,
          target: { kind: 'user', id: user.id, name: user.email },
          details: { name: user.name, role: user.role, tags: tagsOfScope(user.scope) },
        });
      });
      const created = await this.findById(user.id);
      if (created === null) throw new AppError('conflict', 'The user was deleted in the meantime.');
      return created;
    },
    async list({ limit, after }) {
      const rows = await prisma.user.findMany({
        ...(after === null ? {} : { where: { email: { gt: after } } }),
        orderBy: { email: 'asc' },
        take: limit,
      });
      return rows.map(toUser);
    },
    count: () => prisma.user.count(),
    async update(id, changes, by) {
      if (!isUuid(id)) return null;
      const found = await inTransaction(prisma, (tx) => changeUser(tx, id, changes, by));
      return found ? this.findById(id) : null;
    },
    async delete(id, by) {
      if (!isUuid(id)) return false;
      return inTransaction(prisma, async (tx) => {
        await lockUsers(tx);
        const deleted = await tx.user.findUnique({ where: { id }, select: { email: true, role: true } });
        if (deleted === null) return false;
        await tx.hostGroup.deleteMany({ where: { ownerId: id, shared: false } });
        await tx.user.deleteMany({ where: { id } });
        await requireAnAdmin(tx);
        await recordAuditEvent(tx, {
          action: 'user.deleted',
          actor: by,
          target: { kind: 'user', id, name: deleted.email },
          details: { role: deleted.role },
        });
        return true;
      });
    },
    async findByEmail(email) {
      const row = await prisma.user.findUnique({ where: { email } });
      return row === null ? null : toUser(row);
    },
    async findById(id) {
      const row = isUuid(id) ? await prisma.user.findUnique({ where: { id } }) : null;
      return row === null ? null : toUser(row);
    },
    async isPasswordAllowed(id) {
      const until = await prisma.user.findUnique({ where: { id }, select: { passwordAllowedUntil: true } });
      const allowed = until?.passwordAllowedUntil ?? null;
      return allowed !== null && allowed > (await databaseTime(prisma));
    },
    allowPassword: ({ id, email }, minutes, by) =>
      inTransaction(prisma, async (tx) => {
        const until = new Date((await databaseTime(tx)).getTime() + minutes * 60_000);
        await tx.user.updateMany({ where: { id }, data: { passwordAllowedUntil: until } });
        await recordAuditEvent(tx, {
          action: 'user.emergency_allowed',
          actor: by,
          target: { kind: 'user', id, name: email },
          details: { until: until.toISOString() },
        });
        return until;
      }),
    async changePassword(id, passwordHash, by) {
      await inTransaction(prisma, async (tx) => {
        await tx.user.updateMany({
          where: { id },
          data: { passwordHash, tokenGeneration: { increment: 1 } },
        });
        const target = { kind: 'user', id, name: by.name } as const;
        await recordAuditEvent(tx, { action: 'user.password_changed', actor: by, target, details: {} });
      });
    },
  };
}

/** The user in a row. */
export function toUser({ isLimited, tags, passwordAllowedUntil: _, ...row }: UserRow): User {
  // Only this store writes ids and roles.
  return { ...row, id: row.id as UserId, role: row.role as UserRole, scope: scopeOfRow({ isLimited, tags }) };
}
