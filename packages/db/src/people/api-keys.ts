import {
  type ApiKeyId,
  AppError,
  type HostScope,
  tagsOfScope,
  type UserId,
  type UserRole,
} from '@plimsoll/model';
import { type Database, isUuid } from '../core/database.ts';
import { databaseTime, inTransaction, type Transaction } from '../core/transaction.ts';
import type { ApiKey as ApiKeyRow, User as UserRow } from '../generated/client.ts';
import { type AuditActor, recordAuditEvent } from './audit-events.ts';
import { scopeOfRow, scopeRow } from './change-user.ts';
import { toUser, type User } from './users.ts';

/** An API key without its secret. */
export interface ApiKey {
  readonly id: ApiKeyId;
  readonly userId: UserId;
  /** The e-mail address of its user. */
  readonly email: string;
  readonly name: string;
  /** The role and hosts it was created with; its rights are at most those of its user now. */
  readonly role: UserRole;
  readonly scope: HostScope;
  /** Addresses and networks it may be used from; empty: from everywhere. */
  readonly networks: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** Up to a minute old; null if it was never used. */
  readonly lastUsedAt: Date | null;
}

/** The fields of a new API key. */
export interface NewApiKey extends Omit<ApiKey, 'email' | 'createdAt' | 'lastUsedAt'> {
  /** SHA-256 of the secret. */
  readonly keyHash: Uint8Array<ArrayBuffer>;
}

/** A key with its user, as authentication needs them. */
export interface KeyWithUser {
  readonly key: ApiKey;
  readonly user: User;
  /** When this was read, by the database clock. */
  readonly checkedAt: Date;
}

/** Stores API keys. All times are of the database clock. `of` selects the keys of one user; null: those of all users. */
export interface ApiKeyStore {
  /** Throws `conflict` if the user has `mostKeysOfUser` keys already. */
  create(key: NewApiKey, by: AuditActor): Promise<ApiKey>;
  /** Newest first; the page starts below the id `before`. */
  list(
    of: UserId | null,
    page: { readonly limit: number; readonly before: string | null },
  ): Promise<readonly ApiKey[]>;
  count(of: UserId | null): Promise<number>;
  /** Ends a key; false if it does not exist. */
  end(id: string, of: UserId | null, by: AuditActor): Promise<boolean>;
  /** The key of a secret; null if there is none, it has expired, or its user is disabled or has no access any more. */
  findByHash(keyHash: Uint8Array<ArrayBuffer>): Promise<KeyWithUser | null>;
  /** The same by id. */
  findById(id: string): Promise<KeyWithUser | null>;
  /** Records a use, unless one of the last minute is recorded. */
  noteUse(used: KeyWithUser): Promise<void>;
}

/** The maximum number of keys of one user, so that a user cannot fill the database. */
export const mostKeysOfUser = 100;

const notedEveryMs = 60_000;

/** The API keys of one database. */
export function createApiKeyStore({ prisma }: Database): ApiKeyStore {
  const withUser = { include: { user: true } } as const;
  const findUsable = async (
    where: { readonly keyHash: Uint8Array<ArrayBuffer> } | { readonly id: string },
  ): Promise<KeyWithUser | null> => {
    const checkedAt = await databaseTime(prisma);
    const usable = {
      ...where,
      expiresAt: { gt: checkedAt },
      user: { disabledAt: null, accessWithdrawnAt: null },
    };
    const row = await prisma.apiKey.findFirst({ where: usable, ...withUser });
    return row === null ? null : { key: toKey(row), user: toUser(row.user), checkedAt };
  };
  const ofUser = (userId: UserId | null) => (userId === null ? {} : { userId });
  return {
    create: ({ keyHash, scope, ...key }, by) =>
      inTransaction(prisma, async (tx) => {
        // Locks the user: keys created at the same time count each other, and none outlives its user.
        await tx.$queryRaw`SELECT id FROM users WHERE id = ${key.userId}::uuid FOR UPDATE`;
        await requireFewKeys(tx, key.userId);
        const { id, name, role, networks, expiresAt } = key;
        const row = await tx.apiKey.create({
          data: { ...key, networks: [...networks], keyHash, ...scopeRow(scope) },
          ...withUser,
        });
        await recordAuditEvent(tx, {
          action: 'api_key.created',
          actor: by,
          target: { kind: 'api_key', id, name },
          details: {
            role,
            tags: tagsOfScope(scope),
            networks,
            expires_at: expiresAt.toISOString(),
          },
        });
        return toKey(row);
      }),
    async list(of, { limit, before }) {
      if (before !== null && !isUuid(before)) return [];
      const rows = await prisma.apiKey.findMany({
        where: { ...ofUser(of), ...(before === null ? {} : { id: { lt: before } }) },
        orderBy: { id: 'desc' },
        take: limit,
        ...withUser,
      });
      return rows.map(toKey);
    },
    count: (of) => prisma.apiKey.count({ where: ofUser(of) }),
    async end(id, of, by) {
      if (!isUuid(id)) return false;
      return inTransaction(prisma, async (tx) => {
        const found = await tx.apiKey.findFirst({ where: { id, ...ofUser(of) }, ...withUser });
        if (found === null) return false;
        const { count } = await tx.apiKey.deleteMany({ where: { id } });
        if (count === 0) return false;
        await recordAuditEvent(tx, {
          action: 'api_key.ended',
          actor: by,
          target: { kind: 'api_key', id, name: found.name },
          details: { user: found.user.email },
        });
        return true;
      });
    },
    findByHash: (keyHash) => findUsable({ keyHash }),
    findById: async (id) => (isUuid(id) ? findUsable({ id }) : null),
    async noteUse({ key: { id, lastUsedAt }, checkedAt: now }) {
      const due = new Date(now.getTime() - notedEveryMs);
      if (lastUsedAt !== null && lastUsedAt > due) return;
      await prisma.apiKey.updateMany({
        where: { id, OR: [{ lastUsedAt: null }, { lastUsedAt: { lte: due } }] },
        data: { lastUsedAt: now },
      });
    },
  };
}

async function requireFewKeys(tx: Transaction, userId: UserId): Promise<void> {
  if ((await tx.apiKey.count({ where: { userId } })) < mostKeysOfUser) return;
  throw new AppError('conflict', `A user has at most ${mostKeysOfUser} API keys. End one that is not used.`);
}

type RowWithUser = ApiKeyRow & { readonly user: UserRow };

function toKey({ user, keyHash: _, ...row }: RowWithUser): ApiKey {
  return {
    ...row,
    // Only this store writes ids and roles.
    id: row.id as ApiKeyId,
    userId: row.userId as UserId,
    email: user.email,
    role: row.role as UserRole,
    scope: scopeOfRow(row),
  };
}
