import { AppError, type SignInRefusal } from '@plimsoll/model';
import { hasLocalAccounts } from '../../auth/local-accounts.ts';
import { requireSameOrigin } from '../../auth/refresh-cookie.ts';
import { userActor } from '../../auth/signed-in-user.ts';
import { startSession } from '../../auth/start-session.ts';
import type { ApiServices } from '../../context.ts';
import type { OidcSignIn } from '../../oidc/oidc-sign-in.ts';
import { ownPath } from '../../oidc/own-path.ts';
import { dropPending, findPending, keepPending } from '../../oidc/pending-cookies.ts';
import { lineOf, SignInRefused } from '../../oidc/sign-in-refused.ts';
import type { Handler } from '../operation-request.ts';

/** GET /auth/methods */
export const getSignInMethods: Handler<'getSignInMethods'> = async (_, { oidc, settings }) => ({
  kind: 'json',
  status: 200,
  body: {
    password: hasLocalAccounts(settings),
    oidc: oidc === null ? null : { label: oidc.settings.buttonLabel },
  },
});

/** GET /auth/oidc/start */
export const startOidc: Handler<'startOidc'> = async (request, services) => {
  const { query, origin, headers } = request;
  const oidc = requireOidc(services.oidc);
  try {
    const wish = { back: ownPath(query.back), again: query.again ?? false };
    const begun = await oidc.begin(wish, redirectUriOf(origin));
    return redirectTo(begun.url.href, keepPending(begun, headers.cookie, isSecure(origin)));
  } catch (error) {
    return refusal(error, request, services, []);
  }
};

/** GET /auth/oidc/callback */
export const finishOidc: Handler<'finishOidc'> = async (request, services) => {
  const { query, origin, headers } = request;
  const oidc = requireOidc(services.oidc);
  const { state = '' } = query;
  const sealed = findPending(state, headers.cookie, isSecure(origin));
  const used = sealed === null ? [] : [dropPending(state, isSecure(origin))];
  try {
    const pending = sealed === null ? null : oidc.open(sealed, state);
    if (pending === null) throw new SignInRefused('expired', 'no pending sign-in for this state');
    const { user, provided } = await oidc.finish(answerOf(origin, query), pending, request);
    const { headers: session } = await startSession(
      { user, method: 'oidc', authenticatedAt: provided.authenticatedAt, wantsCookie: true },
      request,
      services,
    );
    return redirectTo(arrivalPage(pending.back), [
      ...used,
      oidc.cookie.keep(provided.idToken, origin),
      ...[session['Set-Cookie'] ?? []].flat(),
    ]);
  } catch (error) {
    return refusal(error, request, services, used);
  }
};

/** POST /auth/oidc/logout */
export const endOidc: Handler<'endOidc'> = async (request, services) => {
  const { headers, origin, requestOrigin } = request;
  requireSameOrigin(headers, [origin, requestOrigin]);
  const { oidc } = services;
  if (oidc === null) return { kind: 'json', status: 200, body: { url: null } };
  const signedIn = oidc.cookie.read(headers.cookie);
  const url = signedIn === null ? null : await signOutUrl(oidc, signedIn.idToken, request, services);
  return {
    kind: 'json',
    status: 200,
    headers: { 'Set-Cookie': oidc.cookie.drop(origin) },
    body: { url: url?.href ?? null },
  };
};

/** Null if the provider cannot be reached: the session here has ended in any case. */
async function signOutUrl(
  oidc: OidcSignIn,
  idToken: string | null,
  { origin, requestId }: { readonly origin: string; readonly requestId: string },
  { logger }: Pick<ApiServices, 'logger'>,
): Promise<URL | null> {
  try {
    return await oidc.signOutUrl(idToken, `${origin}/sign-in`);
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error;
    logger.warn({ requestId, why: lineOf(error) }, 'the session at the provider cannot be ended');
    return null;
  }
}

function requireOidc(oidc: OidcSignIn | null): OidcSignIn {
  if (oidc === null) throw new AppError('not_found', 'No OpenID Connect provider is configured.');
  return oidc;
}

function redirectUriOf(origin: string): string {
  return `${origin}/api/v1/auth/oidc/callback`;
}

/** The address that the browser requested, with each parameter once. */
function answerOf(origin: string, query: Readonly<Record<string, unknown>>): URL {
  const url = new URL(redirectUriOf(origin));
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string') url.searchParams.set(name, value);
  }
  return url;
}

function isSecure(origin: string): boolean {
  return origin.startsWith('https:');
}

function redirectTo(location: string, cookies: readonly string[]) {
  const headers = { Location: location, ...(cookies.length > 0 && { 'Set-Cookie': cookies }) };
  return { kind: 'empty', status: 303, headers } as const;
}

/** Sends the browser to the sign-in page, which tells the reason. Logs the details and writes an audit event. */
async function refusal(
  error: unknown,
  request: { readonly address: string; readonly requestId: string },
  { stores, logger }: ApiServices,
  cookies: readonly string[],
) {
  if (!(error instanceof SignInRefused)) throw error;
  const { reason, who } = error;
  logger.warn(
    { requestId: request.requestId, reason, why: lineOf(error) },
    'sign-in with the provider refused',
  );
  await stores.audit.noteFailedLogin(userActor(null, who?.email ?? '', request), null, {
    method: 'oidc',
    reason,
    ...(who === null ? {} : { subject: who.subject }),
  });
  return redirectTo(signInPage(reason), cookies);
}

/** The page of the dashboard that gets a token for the refresh cookie and goes on to `back`. */
function arrivalPage(back: string): string {
  return back === '/' ? '/arrived' : `/arrived?${new URLSearchParams({ back })}`;
}

function signInPage(refused: SignInRefusal): string {
  return `/sign-in?${new URLSearchParams({ refused })}`;
}
