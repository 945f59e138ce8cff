import { AppError, type UserId, type UserRole } from '@plimsoll/model';
import { type AuditActor, recordAuditEvent } from '../audit/audit-events.ts';
import { databaseTime, inTransaction } from '../connection/transaction.ts';
import { type Database, isUuid } from '../database.ts';
import type { User as UserRow } from '../generated/client.ts';
import { changeUser, lockUsers, requireAnAdmin, requireFreeEmail, type UserChanges } from './change-user.ts';

/** A user account. */
export interface User {
  readonly id: UserId;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  readonly passwordHash: string;
  /** Tokens of another generation are invalid. */
  readonly tokenGeneration: number;
  readonly disabledAt: Date | null;
  readonly lastLoginAt: Date | null;
  readonly createdAt: Date;
}

/** The fields of a new user. */
export type NewUser = Pick<User, 'id' | 'email' | 'name' | 'role' | 'passwordHash'>;

/** Stores users and ends their tokens. */
export interface UserStore {
  anyUserExists(): Promise<boolean>;
  /** Creates the first user, an admin. Of several concurrent calls exactly one creates it; the others return null. */
  createFirstUser(user: Omit<NewUser, 'role'>, by: AuditActor): Promise<User | null>;
  /** Throws `conflict` if another user has the e-mail address. */
  create(user: NewUser, by: AuditActor): Promise<User>;
  /** Ordered by e-mail address; the page starts after `after`. */
  list(page: { readonly limit: number; readonly after: string | null }): Promise<readonly User[]>;
  count(): Promise<number>;
  /**
   * Changes a user. A change of role or password, or disabling, ends all of the user's tokens. Null if the user does
   * not exist. Throws `conflict` if no admin would remain, or if another user has the e-mail address.
   */
  update(id: string, changes: UserChanges, by: AuditActor): Promise<User | null>;
  /** Deletes a user; false if it does not exist. Throws `conflict` if no admin would remain. */
  delete(id: string, by: AuditActor): Promise<boolean>;
  /** @param email in lower case. */
  findByEmail(email: string): Promise<User | null>;
  findById(id: string): Promise<User | null>;
  /** Sets the password and ends all of the user's tokens. */
  changePassword(id: UserId, passwordHash: string, by: AuditActor): Promise<void>;
  /** Records a sign-in. */
  noteLogin(id: UserId, by: AuditActor): Promise<void>;
  /** Ends one token of a user. It is stored until `expiresAt`, when it would expire anyway. */
  revokeToken(token: { readonly jti: string; readonly expiresAt: Date }, by: AuditActor): Promise<void>;
  isTokenRevoked(jti: string): Promise<boolean>;
}

/** Deletes expired rows of sessions and sign-ins. */
export interface SessionStore {
  /** Deletes revoked tokens that have expired, and expired counters of the rate limit. */
  dropExpired(now: Date): Promise<void>;
}

/** The sessions of one database. */
export function createSessionStore({ prisma }: Database): SessionStore {
  return {
    async dropExpired(now) {
      await prisma.$executeRaw`SELECT drop_expired_sessions(${now})`;
    },
  };
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
        const { id, email, name, passwordHash, role } = user;
        await tx.user.createMany({ data: { id, email, name, passwordHash, role } });
        await recordAuditEvent(tx, {
          action: 'user.created',
          actor: by,
          target: { kind: 'user', id: user.id, name: user.email },
          details: { name: user.name, role: user.role },
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
      return rows.flatMap((row) => toUser(row) ?? []);
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
      return toUser(await prisma.user.findUnique({ where: { email } }));
    },
    async findById(id) {
      return isUuid(id) ? toUser(await prisma.user.findUnique({ where: { id } })) : null;
    },
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
    async noteLogin(id, by) {
      await inTransaction(prisma, async (tx) => {
        await tx.user.updateMany({ where: { id }, data: { lastLoginAt: await databaseTime(tx) } });
        const target = { kind: 'user', id, name: by.name } as const;
        await recordAuditEvent(tx, { action: 'user.logged_in', actor: by, target, details: {} });
      });
    },
    async revokeToken({ jti, expiresAt }, by) {
      await inTransaction(prisma, async (tx) => {
        const revoked = await tx.revokedToken.createMany({ data: { jti, expiresAt }, skipDuplicates: true });
        if (revoked.count === 0) return;
        const target = by.id === null ? null : ({ kind: 'user', id: by.id, name: by.name } as const);
        await recordAuditEvent(tx, { action: 'user.logged_out', actor: by, target, details: {} });
      });
    },
    async isTokenRevoked(jti) {
      return (await prisma.revokedToken.findUnique({ where: { jti } })) !== null;
    },
  };
}

function toUser(row: UserRow | null): User | null {
  if (row === null) return null;
  // Only this store writes ids and roles.
  return { ...row, id: row.id as UserId, role: row.role as UserRole };
}
