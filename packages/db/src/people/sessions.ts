import { z } from 'zod';
import { ownBytes } from '../core/bytes.ts';
import { type Database, isUuid } from '../core/database.ts';
import { databaseTime, inTransaction, queryRows, type Transaction } from '../core/transaction.ts';
import { Prisma } from '../generated/client.ts';
import { type AuditActor, recordAuditEvent } from './audit-events.ts';
import { type PresentedRefresh, type Refreshed, refreshSession } from './refresh-session.ts';
import {
  isAlive,
  type LiveSession,
  type SessionKind,
  type SessionMethod,
  type SessionOfUser,
  sessionColumns,
  sessionRow,
  toSession,
} from './session-rows.ts';
import type { User } from './users.ts';

/** A session that starts now. */
export interface NewSession {
  /** A new id, so that the first refresh token can name the session. */
  readonly id: string;
  /** As read when the user was authenticated: a change of password or role since then ends the session at once. */
  readonly user: Pick<User, 'id' | 'tokenGeneration'>;
  readonly method: SessionMethod;
  /** When an identity provider authenticated the user, if that is earlier than now; null or omitted: now. */
  readonly authenticatedAt?: Date | null;
  readonly kind: SessionKind;
  readonly lifetimeMinutes: number;
  /** Minutes without a refresh after which it ends; null: only the lifetime ends it. */
  readonly idleMinutes: number | null;
  readonly ipAddress: string | null;
  readonly userAgent: string;
  /** SHA-256 of the first refresh token; null: it cannot be refreshed. */
  readonly refreshHash: Uint8Array | null;
}

/** What an access token says. */
export interface SessionClaims {
  readonly userId: string;
  readonly sessionId: string;
  readonly generation: number;
  readonly expiresAt: Date;
}

/** Which sessions: of one user, or of all if `userId` is null. */
export interface SessionFilter {
  readonly userId: string | null;
}

/** Stores sessions. All times are of the database clock: a process with a wrong clock neither ends nor prolongs one. */
export interface SessionStore {
  /**
   * Starts a session, sets the user's last sign-in and writes the audit event `user.logged_in`. Access that the
   * identity provider withdrew returns, with the audit event `user.access_restored`.
   */
  start(session: NewSession, by: AuditActor): Promise<LiveSession>;
  /**
   * The user and session of an access token, in one statement; null if the token has expired, the session has ended,
   * or the user is disabled.
   */
  find(claims: SessionClaims): Promise<SessionOfUser | null>;
  /** Exchanges a refresh token for its successor. */
  refresh(
    presented: PresentedRefresh,
    origin: Pick<AuditActor, 'ipAddress' | 'requestId'>,
  ): Promise<Refreshed>;
  /** Records that a session is in use, at most once a minute. */
  noteUse(session: Pick<LiveSession, 'id' | 'lastUsedAt' | 'checkedAt'>): Promise<void>;
  /** Records that the user of a session proved who it is once more, and writes the audit event `user.reauthenticated`. */
  noteReauthentication(id: string, method: string, by: AuditActor): Promise<void>;
  /** Sessions that have not ended, newest first; the page starts below the id `before`. */
  list(
    filter: SessionFilter,
    page: { readonly limit: number; readonly before: string | null },
  ): Promise<readonly SessionOfUser[]>;
  count(filter: SessionFilter): Promise<number>;
  /** Ends a session at the request of its user and writes the audit event `user.logged_out`. */
  logOut(id: string, by: AuditActor): Promise<void>;
  /** Ends a session that `filter` matches, with the audit event `session.ended`; false if there is none. */
  end(id: string, filter: SessionFilter, by: AuditActor): Promise<boolean>;
  /** Ends all sessions of a user but the one with the id `kept`, with one audit event `session.ended`. */
  endAll(user: Pick<User, 'id' | 'email'>, kept: string | null, by: AuditActor): Promise<void>;
  /** Deletes what was over before a time, of sessions or of what belongs to signing in. */
  dropExpired(kind: ExpiringKind, before: Date): Promise<void>;
}

/** What ends by itself; `sign-ins`: steps of sign-ins that were done, or not done in time. */
export type ExpiringKind = 'sessions' | 'invitations' | 'downloads' | 'rate limits' | 'sign-ins';

/** Milliseconds between two updates of the last use. */
const useNotedMs = 60_000;
const minuteMs = 60_000;

/** The sessions of one database. */
export function createSessionStore({ prisma }: Database): SessionStore {
  const alive = (condition: Prisma.Sql) =>
    Prisma.sql`FROM sessions s JOIN users u ON u.id = s.user_id WHERE ${isAlive} AND ${condition}`;
  const select = async (condition: Prisma.Sql, order = Prisma.empty): Promise<SessionOfUser[]> =>
    (
      await queryRows(prisma, sessionRow, Prisma.sql`SELECT ${sessionColumns} ${alive(condition)} ${order}`)
    ).map(toSession);
  return {
    start: (session, by) => inTransaction(prisma, (tx) => startIn(tx, session, by)),
    async find({ userId, sessionId, generation, expiresAt }) {
      const [found] = await select(
        Prisma.sql`s.id = ${sessionId}::uuid AND s.user_id = ${userId}::uuid AND s.generation = ${generation}::int
          AND ${expiresAt} > now()`,
      );
      return found ?? null;
    },
    refresh: (presented, origin) => inTransaction(prisma, (tx) => refreshSession(tx, presented, origin)),
    async noteUse({ id, lastUsedAt, checkedAt }) {
      if (checkedAt.getTime() - lastUsedAt.getTime() < useNotedMs) return;
      await prisma.session.updateMany({
        where: { id, lastUsedAt: { lt: checkedAt } },
        data: { lastUsedAt: checkedAt },
      });
    },
    async noteReauthentication(id, method, by) {
      await inTransaction(prisma, async (tx) => {
        await tx.$executeRaw`UPDATE sessions SET authenticated_at = now() WHERE id = ${id}::uuid`;
        const target = by.id === null ? null : ({ kind: 'user', id: by.id, name: by.name } as const);
        const details = { method, session: id };
        await recordAuditEvent(tx, { action: 'user.reauthenticated', actor: by, target, details });
      });
    },
    list: (filter, { limit, before }) =>
      select(
        Prisma.sql`${ofFilter(filter)} AND ${before === null ? Prisma.sql`true` : Prisma.sql`s.id < ${before}::uuid`}`,
        Prisma.sql`ORDER BY s.id DESC LIMIT ${limit}`,
      ),
    async count(filter) {
      const counted = Prisma.sql`SELECT count(*)::int AS sessions ${alive(ofFilter(filter))}`;
      return (await queryRows(prisma, countRow, counted))[0]?.sessions ?? 0;
    },
    async logOut(id, by) {
      await inTransaction(prisma, async (tx) => {
        if ((await tx.session.deleteMany({ where: { id } })).count === 0) return;
        const target = by.id === null ? null : ({ kind: 'user', id: by.id, name: by.name } as const);
        await recordAuditEvent(tx, {
          action: 'user.logged_out',
          actor: by,
          target,
          details: { session: id },
        });
      });
    },
    async end(id, { userId }, by) {
      if (!isUuid(id)) return false;
      return inTransaction(prisma, async (tx) => {
        const where = { id, ...(userId !== null && { userId }) };
        const found = await tx.session.findFirst({ where, include: { user: true } });
        if (found === null || (await tx.session.deleteMany({ where })).count === 0) return false;
        const target = { kind: 'user', id: found.userId, name: found.user.email } as const;
        await recordAuditEvent(tx, { action: 'session.ended', actor: by, target, details: { session: id } });
        return true;
      });
    },
    async endAll({ id, email }, kept, by) {
      await inTransaction(prisma, async (tx) => {
        const where = { userId: id, ...(kept !== null && { id: { not: kept } }) };
        const { count: sessions } = await tx.session.deleteMany({ where });
        if (sessions === 0) return;
        const target = { kind: 'user', id, name: email } as const;
        await recordAuditEvent(tx, { action: 'session.ended', actor: by, target, details: { sessions } });
      });
    },
    async dropExpired(kind, before) {
      await prisma.$executeRaw`SELECT drop_expired(${kind}, ${before})`;
    },
  };
}

const countRow = z.object({ sessions: z.number() });

function ofFilter({ userId }: SessionFilter): Prisma.Sql {
  return userId === null ? Prisma.sql`true` : Prisma.sql`s.user_id = ${userId}::uuid`;
}

async function startIn(
  tx: Transaction,
  {
    id,
    user,
    method,
    authenticatedAt = null,
    kind,
    lifetimeMinutes,
    idleMinutes,
    ipAddress,
    userAgent,
    refreshHash,
  }: NewSession,
  by: AuditActor,
): Promise<LiveSession> {
  const now = await databaseTime(tx);
  // Whole seconds, so that a token and its session end at the same time.
  const endsAt = new Date(Math.floor(now.getTime() / 1000) * 1000 + lifetimeMinutes * minuteMs);
  const idleEndsAt = idleMinutes === null ? null : new Date(now.getTime() + idleMinutes * minuteMs);
  const { id: userId, tokenGeneration: generation } = user;
  const proved = authenticatedAt !== null && authenticatedAt < now ? authenticatedAt : now;
  const times = { createdAt: now, authenticatedAt: proved, lastUsedAt: now, idleEndsAt, endsAt };
  const said = { id, method, kind, ipAddress, userAgent, ...times };
  await tx.session.createMany({
    data: { ...said, userId, generation, refreshHash: refreshHash === null ? null : ownBytes(refreshHash) },
  });
  await tx.user.updateMany({ where: { id: userId }, data: { lastLoginAt: now } });
  const target = { kind: 'user', id: userId, name: by.name } as const;
  // A user whose access was withdrawn after the authentication has another generation, and keeps nothing.
  const restored = await tx.user.updateMany({
    where: { id: userId, tokenGeneration: generation, accessWithdrawnAt: { not: null } },
    data: { accessWithdrawnAt: null },
  });
  if (restored.count > 0) {
    await recordAuditEvent(tx, {
      action: 'user.access_restored',
      actor: by,
      target,
      details: { method, session: id },
    });
  }
  await recordAuditEvent(tx, {
    action: 'user.logged_in',
    actor: by,
    target,
    details: { method, session: id },
  });
  return { ...said, checkedAt: now };
}
