import type { UserId, UserRole } from '@plimsoll/model';
import type { Database } from './database.ts';
import { inTransaction } from './database.ts';
import type { User as UserRow } from './generated/client.ts';
import { isUuid } from './uuid.ts';

/** Someone who can sign in. */
export interface User {
  readonly id: UserId;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly role: UserRole;
  readonly passwordHash: string;
  /** A token issued under another generation is void. */
  readonly tokenGeneration: number;
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

/** Users and the tokens they ended. */
export interface UserStore {
  anyUserExists(): Promise<boolean>;
  /** Creates the first user, an admin. Of any number of callers at once exactly one gets it, the others get null. */
  createFirstUser(user: Pick<User, 'id' | 'email' | 'name' | 'passwordHash'>): Promise<User | null>;
  /** @param email in lower case. */
  findByEmail(email: string): Promise<User | null>;
  findById(id: string): Promise<User | null>;
  /** Sets the password and ends every token the user has. */
  changePassword(id: UserId, passwordHash: string): Promise<void>;
  /** Ends one token, which would live until `expiresAt`. */
  revokeToken(jti: string, expiresAt: Date): Promise<void>;
  isTokenRevoked(jti: string): Promise<boolean>;
}

/** What is kept of sessions and sign-ins until it is over by itself. */
export interface SessionStore {
  /** Forgets revoked tokens that would have ended by now anyway, and counters of the rate limit that ran out. */
  dropExpired(now: Date): Promise<void>;
}

/** The sessions of one database. */
export function createSessionStore({ prisma }: Database): SessionStore {
  return {
    async dropExpired(now) {
      await prisma.revokedToken.deleteMany({ where: { expiresAt: { lt: now } } });
      await prisma.rateLimit.deleteMany({ where: { expire: { lt: now.getTime() } } });
    },
  };
}

/** The users of one database. */
export function createUserStore({ prisma, pool }: Database): UserStore {
  return {
    async anyUserExists() {
      return (await prisma.user.findFirst({ select: { id: true } })) !== null;
    },
    async createFirstUser({ id, email, name, passwordHash }) {
      const created = await inTransaction(pool, async (tx) => {
        // Two inserts into an empty table see no conflict: only a lock makes one of them the second.
        await tx.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
        const inserted = await tx.query(
          `INSERT INTO users (id, email, name, password_hash, role)
           SELECT $1, $2, $3, $4, 'admin' WHERE NOT EXISTS (SELECT FROM users)`,
          [id, email, name, passwordHash],
        );
        return inserted.rowCount === 1;
      });
      return created ? this.findById(id) : null;
    },
    async findByEmail(email) {
      return toUser(await prisma.user.findUnique({ where: { email } }));
    },
    async findById(id) {
      return isUuid(id) ? toUser(await prisma.user.findUnique({ where: { id } })) : null;
    },
    async changePassword(id, passwordHash) {
      await prisma.user.update({ where: { id }, data: { passwordHash, tokenGeneration: { increment: 1 } } });
    },
    async revokeToken(jti, expiresAt) {
      await prisma.revokedToken.upsert({ where: { jti }, create: { jti, expiresAt }, update: {} });
    },
    async isTokenRevoked(jti) {
      return (await prisma.revokedToken.findUnique({ where: { jti } })) !== null;
    },
  };
}

function toUser(row: UserRow | null): User | null {
  if (row === null) return null;
  // Ids and roles are written by this store alone.
  return { ...row, id: row.id as UserId, role: row.role as UserRole };
}
