import { createHash } from 'node:crypto';
import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import { pendingSeconds } from './pending-sign-in.ts';

/** A browser may have several sign-ins in progress, one in each tab. */
const mostPending = 4;

const name = 'plimsoll-sign-in-';

/** The cookie of a new pending sign-in, with the removal of others if there are too many. */
export function keepPending(
  { state, sealed }: { readonly state: string; readonly sealed: string },
  header: string | undefined,
  isSecure: boolean,
): readonly string[] {
  const others = Object.keys(parseCookie(header ?? '')).filter((key) => key.startsWith(prefix(isSecure)));
  const removed = others.length < mostPending ? [] : others.map((key) => remove(key, isSecure));
  return [
    ...removed,
    stringifySetCookie({
      name: nameOf(state, isSecure),
      value: sealed,
      maxAge: pendingSeconds,
      ...kind(isSecure),
    }),
  ];
}

/** The sealed sign-in of an answer; null: this browser has none for the state. */
export function findPending(state: string, header: string | undefined, isSecure: boolean): string | null {
  return parseCookie(header ?? '')[nameOf(state, isSecure)] ?? null;
}

/** The removal of the cookie of a state. */
export function dropPending(state: string, isSecure: boolean): string {
  return remove(nameOf(state, isSecure), isSecure);
}

function remove(key: string, isSecure: boolean): string {
  return stringifySetCookie({ name: key, value: '', maxAge: 0, ...kind(isSecure) });
}

/** Lax, because the provider sends the browser back from another site. */
function kind(isSecure: boolean): Omit<SetCookie, 'name' | 'value'> {
  return { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' };
}

/** The prefix keeps other hosts of the domain and plain http from setting the cookie (RFC 6265bis, 4.1.3.2). */
function prefix(isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

function nameOf(state: string, isSecure: boolean): string {
  const digest = createHash('sha256').update(state).digest('base64url');
  return `${prefix(isSecure)}${digest.slice(0, 12)}`;
}
