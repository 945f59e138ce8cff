import type { Invitation } from '@plimsoll/contract';
import { newId, type Invitation as StoredInvitation } from '@plimsoll/db';
import { AppError, scopeOfTags, tagsOfScope, type UserId } from '@plimsoll/model';
import { hashSecret, newSecretToken } from '../../auth/authenticate.ts';
import { requireLocalAccounts } from '../../auth/local-accounts.ts';
import { requireGoodPassword } from '../../auth/require-good-password.ts';
import { auditActorOf, userActor } from '../../auth/signed-in-user.ts';
import { startSession } from '../../auth/start-session.ts';
import type { Handler } from '../operation-request.ts';

/** GET /users/invitations */
export const listInvitations: Handler<'listInvitations'> = async (_, { stores }) => ({
  kind: 'json',
  status: 200,
  body: (await stores.invitations.list()).map(invitationAnswer),
});

/** POST /users/invitations */
export const createInvitation: Handler<'createInvitation'> = async (request, services) => {
  const { stores } = services;
  await requireLocalAccounts(null, services);
  const { email, name = '', role, tags, expires_in_hours: lifetimeHours } = request.body;
  const token = newSecretToken('pli');
  const invited = { id: newId<string>(), email, name, role, scope: scopeOfTags(tags), lifetimeHours };
  const stored = await stores.invitations.create(
    { ...invited, tokenHash: hashSecret(token) },
    auditActorOf(request),
  );
  const url = `${request.origin}/accept-invitation#${token}`;
  return { kind: 'json', status: 201, body: { ...invitationAnswer(stored), token, url } };
};

/** DELETE /users/invitations/{id} */
export const revokeInvitation: Handler<'revokeInvitation'> = async (request, { stores }) => {
  if (!(await stores.invitations.revoke(request.params.id, auditActorOf(request)))) {
    throw new AppError('not_found', 'No open invitation has this id.');
  }
  return { kind: 'empty', status: 204 };
};

/** POST /auth/accept-invitation. Guessing is limited by address, as for passwords. */
export const acceptInvitation: Handler<'acceptInvitation'> = async (request, services) => {
  const { body, address } = request;
  const { stores, passwords, loginLimiter } = services;
  await requireLocalAccounts(null, services);
  const tokenHash = hashSecret(body.token);
  // Each token has its own counters, so that guesses do not delay the people who are invited.
  const account = `invitation ${Buffer.from(tokenHash).toString('hex')}`;
  const attempt = await loginLimiter.attempt({ secret: 'login', email: account, address });
  const invitation = await stores.invitations.findByToken(tokenHash);
  if (invitation === null) throw notOpen();
  await attempt.succeeded();
  const name = body.name ?? invitation.name;
  requireGoodPassword(body.password, { email: invitation.email, name });
  const userId = newId<UserId>();
  const accepted = { userId, name, passwordHash: await passwords.hash(body.password) };
  const by = userActor(userId, invitation.email, request);
  const user = (await stores.invitations.accept(tokenHash, accepted, by))
    ? await stores.users.findById(userId)
    : null;
  if (user === null) throw notOpen();
  const wantsCookie = body.refresh_cookie === true;
  const started = await startSession({ user, method: 'invitation', wantsCookie }, request, services);
  return { kind: 'json', status: 201, ...started };
};

function notOpen(): AppError {
  return new AppError('not_found', 'This invitation was used, revoked or replaced, or it has expired.');
}

function invitationAnswer(invitation: StoredInvitation): Invitation {
  const { id, email, name, role, scope, invitedBy, createdAt, expiresAt } = invitation;
  return {
    id,
    email,
    name,
    role,
    tags: tagsOfScope(scope),
    invited_by: invitedBy,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt.toISOString(),
  };
}
