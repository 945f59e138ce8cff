import type { User } from '@plimsoll/contract';
import { useSyncExternalStore } from 'react';
import { ApiProblem, readProblem, ServerUnreachable } from './problem.ts';
import { tabNotes } from './tab-notes.ts';

/** The signed-in user of this tab and their access token, which is kept in memory only. */
export interface Session {
  readonly token: string;
  /** ISO 8601, by the server's clock. */
  readonly expires_at: string;
  readonly user: User;
}

/**
 * `expired`: the session ended by itself; sign-in leads back to the same page. `left`: the user signed out.
 * `unconfirmed`: the same, but the server did not confirm it.
 */
export type SessionEnd = 'none' | 'expired' | 'left' | 'unconfirmed';

/**
 * Tells tabs and reloads that this browser has a session, and whose: the id of a user. It is no credential; that is in
 * a cookie that no script can read.
 */
const storageKey = 'plimsoll.session';
/** An access token is replaced this long before it expires, or after half of its lifetime if that is later. */
const beforeEndMs = 60_000;

const listeners = new Set<() => void>();
let current: Session | null = null;
let end: SessionEnd = 'none';
/** By performance.now(): the clocks of server and browser may differ. */
let freshUntilMs = 0;
let refreshing: Promise<void> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

function set(next: Session | null, ended: SessionEnd): void {
  current = next;
  end = ended;
  clearTimeout(timer);
  if (next === null) {
    localStorage.removeItem(storageKey);
    tabNotes.clear();
  } else {
    if (localStorage.getItem(storageKey) !== next.user.id) localStorage.setItem(storageKey, next.user.id);
    const lifetimeMs = lifetimeMsOf(next.token);
    const freshMs = Math.max(lifetimeMs - beforeEndMs, lifetimeMs / 2);
    freshUntilMs = performance.now() + freshMs;
    // A tab in the background keeps its session, too.
    timer = setTimeout(() => void refresh().catch(() => undefined), freshMs);
  }
  for (const listener of listeners) listener();
}

/** How long a new token is valid, by its own claims. */
function lifetimeMsOf(token: string): number {
  const payload = token.split('.')[1] ?? '';
  const { iat, exp } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/'))) as {
    readonly iat: number;
    readonly exp: number;
  }; // issued by the server that this page came from
  return (exp - iat) * 1000;
}

/**
 * Gets a new access token for the refresh cookie; simultaneous calls share one request. Ends the session if the server
 * says that it has ended. Rejects if no answer arrives or the server fails.
 */
function refresh(): Promise<void> {
  refreshing ??= requestToken().finally(() => {
    refreshing = null;
  });
  return refreshing;
}

async function requestToken(): Promise<void> {
  const before = current;
  let response: Response;
  try {
    response = await fetch('/api/v1/auth/refresh', {
      method: 'POST',
      headers: { Accept: 'application/json' },
    });
  } catch (error) {
    throw new ServerUnreachable({ cause: error });
  }
  if (response.ok) {
    const renewed = (await response.json()) as Session; // the contract's answer
    // A sign-out while the request was under way wins.
    if (before === current) set(renewed, 'none');
    return;
  }
  const problem = await readProblem(response);
  if (problem.status >= 500 || problem.status === 429) throw problem;
  if (before === current) set(null, 'expired');
}

// Another tab signed in or out.
addEventListener('storage', ({ key }) => {
  if (key !== storageKey && key !== null) return;
  const userId = localStorage.getItem(storageKey);
  if (userId === null) {
    if (current !== null) set(null, 'left');
  } else if (userId !== current?.user.id) void refresh().catch(() => undefined);
});

/** The session of this browser: shared by its tabs, kept over reloads. */
export const session = {
  current: (): Session | null => current,
  token: (): string | null => current?.token ?? null,
  end: (): SessionEnd => end,
  begin: (started: Session): void => set(started, 'none'),
  /** Forgets the session. `isEnded`: whether the server has ended it, too. */
  leave: (isEnded: boolean): void => set(null, isEnded ? 'left' : 'unconfirmed'),
  /** Takes up the session that this browser has from before a reload, if any. Rejects if the server does not answer. */
  async resume(): Promise<void> {
    if (current === null && localStorage.getItem(storageKey) !== null) await refresh();
  },
  /** Replaces the access token if it is about to expire. Does not reject: the request that needs it does. */
  async keepFresh(): Promise<void> {
    if (current !== null && performance.now() >= freshUntilMs) await refresh().catch(() => undefined);
  },
  /**
   * Replaces an access token that the server has refused; false if the session has ended. Does nothing if another
   * token took its place meanwhile.
   */
  async replace(token: string): Promise<boolean> {
    if (current?.token === token) await refresh().catch(ignoreProblem);
    return current !== null && current.token !== token;
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** The refused request reports that the server does not answer. */
function ignoreProblem(error: unknown): void {
  if (!(error instanceof ApiProblem || error instanceof ServerUnreachable)) throw error;
}

/** The session; the component renders again when it changes. */
export function useSession(): Session | null {
  return useSyncExternalStore(session.subscribe, session.current);
}

const rank = { viewer: 0, operator: 1, admin: 2 } as const;

/** Whether the user has at least this role. The dashboard does not offer actions that the API answers with 403. */
export function useMay(role: keyof typeof rank): boolean {
  const signedIn = useSession();
  return signedIn !== null && rank[signedIn.user.role] >= rank[role];
}
