import type { RegistrationToken } from '@plimsoll/contract';
import { newId, type RegistrationToken as StoredToken, tagsInScope } from '@plimsoll/db';
import { AppError, type RegistrationTokenId } from '@plimsoll/model';
import { hashSecret, newSecretToken } from '../../auth/authenticate.ts';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import type { Handler } from '../operation-request.ts';
import { installCommand } from './install-command.ts';
import { installWarnings } from './install-warnings.ts';

/** GET /registration-tokens */
export const listRegistrationTokens: Handler<'listRegistrationTokens'> = async ({ caller }, { stores }) => ({
  kind: 'json',
  status: 200,
  body: (await stores.registrationTokens.list(caller.scope)).map(tokenAnswer),
});

/** POST /registration-tokens */
export const createRegistrationToken: Handler<'createRegistrationToken'> = async (
  request,
  { stores, clock, scripts, certificate },
) => {
  const { body, origin, caller } = request;
  const allowPlainHttp = body.allow_plain_http && origin.startsWith('http:');
  const token = newSecretToken('plr');
  const newToken = {
    id: newId<RegistrationTokenId>(),
    name: body.name,
    tokenHash: hashSecret(token),
    autoApprove: body.auto_approve,
    maxUses: body.max_uses,
    hostId: body.host_id,
    // The host of a token keeps its own tags.
    tags: body.host_id === null ? tagsInScope(caller.scope, body.tags) : body.tags,
    exposure: body.host_id === null ? body.exposure : null,
    expiresAt: new Date(clock().getTime() + body.expires_in_hours * 3_600_000),
  };
  const stored = await stores.registrationTokens.create(caller.scope, newToken, auditActorOf(request));
  return {
    kind: 'json',
    status: 201,
    body: {
      ...tokenAnswer(stored),
      token,
      install_command: installCommand({ origin, token, scriptSha256: scripts.agentSha256, allowPlainHttp }),
      warnings: installWarnings(origin, allowPlainHttp, certificate),
    },
  };
};

/** DELETE /registration-tokens/{id} */
export const revokeRegistrationToken: Handler<'revokeRegistrationToken'> = async (request, { stores }) => {
  const { params, caller } = request;
  if (!(await stores.registrationTokens.revoke(caller.scope, params.id, auditActorOf(request)))) {
    throw new AppError('not_found', 'No registration token has this id.');
  }
  return { kind: 'empty', status: 204 };
};

function tokenAnswer(token: StoredToken): RegistrationToken {
  return {
    id: token.id,
    name: token.name,
    auto_approve: token.autoApprove,
    max_uses: token.maxUses,
    uses: token.uses,
    host_id: token.hostId,
    tags: [...token.tags],
    exposure: token.exposure,
    created_at: token.createdAt.toISOString(),
    expires_at: token.expiresAt.toISOString(),
    revoked_at: token.revokedAt?.toISOString() ?? null,
  };
}
