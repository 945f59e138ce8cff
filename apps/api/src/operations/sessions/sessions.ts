import type { Session } from '@plimsoll/contract';
import type { SessionFilter, SessionOfUser } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import { z } from 'zod';
import { hasRole } from '../../auth/authenticate.ts';
import { auditActorOf, type SignedInUser } from '../../auth/signed-in-user.ts';
import { askedPage } from '../../http/page.ts';
import type { Handler } from '../operation-request.ts';

/** GET /sessions */
export const listSessions: Handler<'listSessions'> = async (request, { stores }) => {
  const { query, caller } = request;
  const page = askedPage(request, '/api/v1/sessions', z.uuid());
  const filter = mayReadAll(caller)
    ? { userId: query.user_id ?? null }
    : { userId: requireOwn(caller, query.user_id) };
  const [found, total] = await Promise.all([
    stores.sessions.list(filter, { limit: page.limit + 1, before: page.after }),
    stores.sessions.count(filter),
  ]);
  const { rows, headers } = page.of(found, total, ({ session }) => session.id);
  return { kind: 'json', status: 200, headers, body: rows.map((row) => sessionRow(row, caller)) };
};

/** DELETE /sessions/{id} */
export const endSession: Handler<'endSession'> = async (request, { stores }) => {
  const { caller, params } = request;
  const filter: SessionFilter = { userId: mayReadAll(caller) ? null : caller.user.id };
  if (!(await stores.sessions.end(params.id, filter, auditActorOf(request)))) {
    throw new AppError('not_found', 'No session has this id, or it has ended.');
  }
  return { kind: 'empty', status: 204 };
};

/** DELETE /sessions */
export const endSessions: Handler<'endSessions'> = async (request, { stores }) => {
  const { caller, query } = request;
  const userId = mayReadAll(caller) ? (query.user_id ?? caller.user.id) : requireOwn(caller, query.user_id);
  const user = userId === caller.user.id ? caller.user : await stores.users.findById(userId);
  if (user === null) throw notFound();
  const kept = query.keep_current === true ? caller.session.id : null;
  await stores.sessions.endAll(user, kept, auditActorOf(request));
  return { kind: 'empty', status: 204 };
};

function mayReadAll({ user }: SignedInUser): boolean {
  return hasRole(user.role, 'admin');
}

/** The caller's id. Throws `not_found` if the request asks for another user. */
function requireOwn({ user }: SignedInUser, asked: string | undefined): string {
  if (asked !== undefined && asked !== user.id) throw notFound();
  return user.id;
}

function notFound(): AppError {
  return new AppError('not_found', 'No user has this id.');
}

function sessionRow({ user, session }: SessionOfUser, caller: SignedInUser): Session {
  return {
    id: session.id,
    user_id: user.id,
    user_email: user.email,
    current: session.id === caller.session.id,
    kind: session.kind,
    method: session.method,
    created_at: session.createdAt.toISOString(),
    authenticated_at: session.authenticatedAt.toISOString(),
    last_used_at: session.lastUsedAt.toISOString(),
    idle_ends_at: session.idleEndsAt?.toISOString() ?? null,
    ends_at: session.endsAt.toISOString(),
    ip_address: session.ipAddress,
    user_agent: session.userAgent,
  };
}
