import type { User } from '@plimsoll/contract';
import { useSyncExternalStore } from 'react';

/** The signed-in user of this browser and their token. */
export interface Session {
  readonly token: string;
  /** ISO 8601. */
  readonly expires_at: string;
  readonly user: User;
}

/** `expired`: the session ended by itself; sign-in leads back to the same page. `left`: the user signed out. */
export type SessionEnd = 'none' | 'expired' | 'left';

const storageKey = 'plimsoll.session';
const listeners = new Set<() => void>();
let current = readStored();
let end: SessionEnd = 'none';

function readStored(): Session | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null');
    if (typeof stored !== 'object' || stored === null || !('token' in stored) || !('user' in stored))
      return null;
    return stored as Session; // only set() writes this key
  } catch {
    // Not JSON: the user signs in again.
    return null;
  }
}

function set(session: Session | null, ended: SessionEnd): void {
  current = session;
  end = ended;
  if (session === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, JSON.stringify(session));
  for (const listener of listeners) listener();
}

// Another tab signed in or out.
addEventListener('storage', ({ key }) => {
  if (key !== storageKey && key !== null) return;
  const before = current;
  current = readStored();
  end = current === null && before !== null ? 'left' : 'none';
  for (const listener of listeners) listener();
});

/** The session of this browser: shared by its tabs, kept over reloads. */
export const session = {
  current: (): Session | null => current,
  token: (): string | null => current?.token ?? null,
  end: (): SessionEnd => end,
  begin: (started: Session): void => set(started, 'none'),
  leave: (): void => set(null, 'left'),
  /** Ends the session unless a new one began after `token` was sent. */
  expire: (token: string): void => {
    if (current?.token === token) set(null, 'expired');
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

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
