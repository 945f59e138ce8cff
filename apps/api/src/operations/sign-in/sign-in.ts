import { newId } from '@plimsoll/db';
import { AppError, type UserId } from '@plimsoll/model';
import { requireLocalAccounts } from '../../auth/local-accounts.ts';
import { noRefreshCookie } from '../../auth/refresh-cookie.ts';
import { requireGoodPassword } from '../../auth/require-good-password.ts';
import { requireSetupCode } from '../../auth/setup-code.ts';
import { auditActorOf, userActor } from '../../auth/signed-in-user.ts';
import { startSession, userAnswer } from '../../auth/start-session.ts';
import type { Handler } from '../operation-request.ts';
import { askSecondFactor } from '../second-factors/sign-in-steps.ts';

/** GET /setup/status. Only callers before the first user reach it. */
export const getSetupStatus: Handler<'getSetupStatus'> = async (_, { settings }) => ({
  kind: 'json',
  status: 200,
  body: { setup_required: true, ...(settings.setupCode !== null && { setup_code_required: true }) },
});

/** POST /setup/complete */
export const completeSetup: Handler<'completeSetup'> = async (request, services) => {
  const { body } = request;
  requireGoodPassword(body.password, body);
  const check = { wanted: services.settings.setupCode, given: body.setup_code, address: request.address };
  await requireSetupCode(check, services.loginLimiter);
  const passwordHash = await services.passwords.hash(body.password);
  const id = newId<UserId>();
  const user = await services.stores.users.createFirstUser(
    { id, email: body.email, name: body.name ?? '', passwordHash },
    userActor(id, body.email, request),
  );
  if (user === null)
    throw new AppError('setup_complete', 'Another request completed the setup first. Sign in.');
  const started = await startSession(
    { user, method: 'setup', wantsCookie: body.refresh_cookie === true },
    request,
    services,
  );
  return { kind: 'json', status: 201, ...started };
};

/** POST /auth/login */
export const login: Handler<'login'> = async (request, services) => {
  const { body, address } = request;
  const { stores, passwords, loginLimiter } = services;
  const attempt = await loginLimiter.attempt({ secret: 'login', email: body.email, address });
  const user = await stores.users.findByEmail(body.email);
  await requireLocalAccounts(user, services);
  const matches = await passwords.verify(body.password, user?.passwordHash ?? null);
  if (user === null || !matches || user.disabledAt !== null) {
    await stores.audit.noteFailedLogin(userActor(null, body.email, request), user?.id ?? null);
    throw new AppError('invalid_credentials', 'E-mail or password is wrong.');
  }
  await attempt.succeeded();
  if (user.secondFactorAt !== null) {
    return { kind: 'json', status: 200, body: await askSecondFactor(user, services) };
  }
  const started = await startSession(
    { user, method: 'password', wantsCookie: body.refresh_cookie === true },
    request,
    services,
  );
  return { kind: 'json', status: 200, ...started };
};

/** GET /auth/me */
export const getMe: Handler<'getMe'> = async ({ caller }) => ({
  kind: 'json',
  status: 200,
  body: userAnswer(caller.user),
});

/** POST /auth/logout */
export const logout: Handler<'logout'> = async (request, { stores }) => {
  await stores.sessions.logOut(request.caller.session.id, auditActorOf(request));
  return { kind: 'empty', status: 204, headers: noRefreshCookie(request.origin) };
};

/** POST /auth/password. Guessing the current password is limited like signing in, with separate counters. */
export const changePassword: Handler<'changePassword'> = async (request, services) => {
  const { body, address, caller } = request;
  const { stores, passwords, loginLimiter } = services;
  const { email } = caller.user;
  const attempt = await loginLimiter.attempt({ secret: 'password-change', email, address });
  if (!(await passwords.verify(body.current_password, caller.user.passwordHash))) {
    await stores.audit.noteFailedLogin(userActor(null, email, request), caller.user.id);
    throw new AppError('invalid_credentials', 'The current password is wrong.');
  }
  await attempt.succeeded();
  requireGoodPassword(body.new_password, caller.user, 'new_password');
  const passwordHash = await passwords.hash(body.new_password);
  await stores.users.changePassword(caller.user.id, passwordHash, auditActorOf(request));
  return { kind: 'empty', status: 204 };
};
