import { type ApiKey, longestKeyDays } from '@plimsoll/contract';
import { newId, type ApiKey as StoredKey } from '@plimsoll/db';
import { type ApiKeyId, AppError, narrowScope, scopeOfTags, tagsOfScope } from '@plimsoll/model';
import { z } from 'zod';
import { hashSecret, hasRole, newSecretToken } from '../../auth/authenticate.ts';
import { requireFactorOfOwner } from '../../auth/require-proof.ts';
import { auditActorOf, type SignedInUser } from '../../auth/signed-in-user.ts';
import { askedPage } from '../../http/page.ts';
import { validationFailed } from '../../http/request-fields.ts';
import type { Handler } from '../operation-request.ts';

const dayMs = 24 * 3600 * 1000;

/** GET /api-keys */
export const listApiKeys: Handler<'listApiKeys'> = async (request, { stores }) => {
  const page = askedPage(request, '/api/v1/api-keys', z.uuid());
  const owner = ownerOf(request.caller);
  const [found, total] = await Promise.all([
    stores.apiKeys.list(owner, { limit: page.limit + 1, before: page.after }),
    stores.apiKeys.count(owner),
  ]);
  const { rows, headers } = page.of(found, total, ({ id }) => id);
  return { kind: 'json', status: 200, headers, body: rows.map(keyAnswer) };
};

/** POST /api-keys */
export const createApiKey: Handler<'createApiKey'> = async (request, services) => {
  const { stores, clock, settings } = services;
  const { body, caller } = request;
  requireLesserRights(body, caller);
  requireFactorOfOwner(body.role, caller.user, settings);
  requireLife(body.expires_at, clock());
  const key = newSecretToken('plk');
  const newKey = {
    id: newId<ApiKeyId>(),
    userId: caller.user.id,
    name: body.name,
    role: body.role,
    scope: scopeOfTags(body.tags),
    networks: body.networks,
    expiresAt: body.expires_at,
    keyHash: hashSecret(key),
  };
  const stored = await stores.apiKeys.create(newKey, auditActorOf(request));
  return { kind: 'json', status: 201, body: { ...keyAnswer(stored), key } };
};

/** DELETE /api-keys/{id} */
export const endApiKey: Handler<'endApiKey'> = async (request, { stores }) => {
  const { params, caller } = request;
  if (!(await stores.apiKeys.end(params.id, ownerOf(caller), auditActorOf(request)))) {
    throw new AppError('not_found', 'No API key has this id.');
  }
  return { kind: 'empty', status: 204 };
};

/** Whose keys a user may see and end; null: those of all users. */
function ownerOf({ user, role }: SignedInUser) {
  return role === 'admin' ? null : user.id;
}

type NewKey = Parameters<typeof createApiKey>[0]['body'];

/** Throws `forbidden` for a role or tags beyond the caller's, and `validation_failed` for an admin key with tags. */
function requireLesserRights({ role, tags }: NewKey, caller: SignedInUser): void {
  if (!hasRole(caller.role, role)) {
    throw new AppError('forbidden', `An API key cannot have a higher role than its user, ${caller.role}.`);
  }
  if (tags === null) return;
  if (role === 'admin') throw validationFailed([{ pointer: '/tags', detail: 'must be null for an admin' }]);
  const shared = narrowScope(scopeOfTags(tags), caller.scope);
  if (shared.kind === 'tagged' && shared.tags.length < tags.length) {
    throw new AppError('forbidden', 'An API key can only have tags that its user is limited to.');
  }
}

function requireLife(expiresAt: Date, now: Date): void {
  if (expiresAt <= now) throw validationFailed([{ pointer: '/expires_at', detail: 'must be in the future' }]);
  if (expiresAt.getTime() > now.getTime() + longestKeyDays * dayMs) {
    const detail = `must be at most ${longestKeyDays} days ahead`;
    throw validationFailed([{ pointer: '/expires_at', detail }]);
  }
}

function keyAnswer(key: StoredKey): ApiKey {
  return {
    id: key.id,
    user_id: key.userId,
    user_email: key.email,
    name: key.name,
    role: key.role,
    tags: tagsOfScope(key.scope),
    networks: [...key.networks],
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
