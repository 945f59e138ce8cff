import { AppError } from '@plimsoll/model';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { AnswerHeaders } from '../http/answer.ts';

const cookieName = 'plimsoll_refresh';

/** The browser sends the cookie nowhere else. */
const path = '/api/v1/auth/refresh';

/** The header that stores a refresh token in the browser until `maxAgeSeconds`. Over https, only https sends it. */
export function refreshCookie(token: string, maxAgeSeconds: number, origin: string): AnswerHeaders {
  return setCookie(token, Math.max(0, Math.floor(maxAgeSeconds)), origin);
}

/** The header that removes the cookie. */
export function noRefreshCookie(origin: string): AnswerHeaders {
  return setCookie('', 0, origin);
}

function setCookie(value: string, maxAge: number, origin: string): AnswerHeaders {
  const secure = origin.startsWith('https:');
  const options = { httpOnly: true, sameSite: 'strict', path, maxAge, secure } as const;
  return { 'Set-Cookie': stringifySetCookie(cookieName, value, options) };
}

/** The refresh token in a Cookie header; null without one. */
export function refreshTokenIn(header: string | undefined): string | null {
  return parseCookie(header ?? '')[cookieName] ?? null;
}

/** The headers that say which page made a request. */
interface FetchHeaders {
  readonly 'sec-fetch-site'?: string | undefined;
  readonly origin?: string | undefined;
}

/**
 * Throws `forbidden` unless the page that made the request is of this service, which `origins` names. Browsers leave out
 * Sec-Fetch-Site without TLS and always send Origin with a POST; neither can be set by a page.
 */
export function requireSameOrigin(headers: FetchHeaders, origins: readonly string[]): void {
  const site = headers['sec-fetch-site'];
  const isOurs =
    site === undefined
      ? origins.some((ours) => URL.canParse(ours) && new URL(ours).origin === headers.origin)
      : site === 'same-origin';
  if (!isOurs) throw new AppError('forbidden', 'Only the dashboard of this service may use its cookie.');
}
