import { type UserId, userRoles } from '@plimsoll/model';
import { z } from 'zod';
import { Prisma } from '../generated/client.ts';
import { scopeOfRow } from './change-user.ts';
import type { User } from './users.ts';

/** How a user was authenticated. */
export const sessionMethods = [
  'setup',
  'password',
  'second_factor',
  'passkey',
  'oidc',
  'invitation',
] as const;

/** One of `sessionMethods`. */
export type SessionMethod = (typeof sessionMethods)[number];

/**
 * `token`: one access token for the whole session. `browser`: short access tokens, renewed with a refresh token.
 */
export const sessionKinds = ['token', 'browser'] as const;

/** One of `sessionKinds`. */
export type SessionKind = (typeof sessionKinds)[number];

/** A stored session, with times of the database clock. */
export interface LiveSession {
  readonly id: string;
  readonly method: SessionMethod;
  readonly kind: SessionKind;
  readonly createdAt: Date;
  /** When the user last gave a password, second factor or the like. */
  readonly authenticatedAt: Date;
  readonly lastUsedAt: Date;
  /** When it ends without a refresh; null: only at `endsAt`. */
  readonly idleEndsAt: Date | null;
  readonly endsAt: Date;
  readonly ipAddress: string | null;
  readonly userAgent: string;
  /** When this was read. */
  readonly checkedAt: Date;
}

/** A session with its user. */
export interface SessionOfUser {
  readonly user: User;
  readonly session: LiveSession;
}

/** The columns of `sessionRow`, from sessions s and users u. */
export const sessionColumns = Prisma.sql`u.id AS user_id, u.email, u.name, u.password_hash, u.role, u.is_limited, u.tags, u.token_generation,
  u.second_factor_at,
  u.access_withdrawn_at,
  u.disabled_at, u.last_login_at, u.created_at AS user_created_at, s.id, s.method, s.kind, s.created_at,
  s.authenticated_at, s.last_used_at, s.idle_ends_at, s.ends_at, s.ip_address, s.user_agent, now() AS checked_at`;

/** Whether session s of user u has not ended. */
export const isAlive = Prisma.sql`s.generation = u.token_generation AND u.disabled_at IS NULL
  AND s.ends_at > now() AND (s.idle_ends_at IS NULL OR s.idle_ends_at > now())`;

/** A row of `sessionColumns`. */
export const sessionRow = z.object({
  user_id: z.string(),
  email: z.string(),
  name: z.string(),
  password_hash: z.string().nullable(),
  role: z.enum(userRoles),
  is_limited: z.boolean(),
  tags: z.array(z.string()),
  token_generation: z.number(),
  second_factor_at: z.date().nullable(),
  access_withdrawn_at: z.date().nullable(),
  disabled_at: z.date().nullable(),
  last_login_at: z.date().nullable(),
  user_created_at: z.date(),
  id: z.string(),
  method: z.enum(sessionMethods),
  kind: z.enum(sessionKinds),
  created_at: z.date(),
  authenticated_at: z.date(),
  last_used_at: z.date(),
  idle_ends_at: z.date().nullable(),
  ends_at: z.date(),
  ip_address: z.string().nullable(),
  user_agent: z.string(),
  checked_at: z.date(),
});

/** A row as a session with its user. */
export function toSession(row: z.output<typeof sessionRow>): SessionOfUser {
  return {
    user: {
      id: row.user_id as UserId, // written by the user store
      email: row.email,
      name: row.name,
      role: row.role,
      scope: scopeOfRow({ isLimited: row.is_limited, tags: row.tags }),
      passwordHash: row.password_hash,
      tokenGeneration: row.token_generation,
      secondFactorAt: row.second_factor_at,
      accessWithdrawnAt: row.access_withdrawn_at,
      disabledAt: row.disabled_at,
      lastLoginAt: row.last_login_at,
      createdAt: row.user_created_at,
    },
    session: {
      id: row.id,
      method: row.method,
      kind: row.kind,
      createdAt: row.created_at,
      authenticatedAt: row.authenticated_at,
      lastUsedAt: row.last_used_at,
      idleEndsAt: row.idle_ends_at,
      endsAt: row.ends_at,
      ipAddress: row.ip_address,
      userAgent: row.user_agent,
      checkedAt: row.checked_at,
    },
  };
}
