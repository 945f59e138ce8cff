import { useSyncExternalStore } from 'react';
import { useSession } from '../api/session.ts';

const storageKey = 'plimsoll.changes';
/** Who was made a user a moment ago saw no older version. */
const newUserMs = 3_600_000;
const listeners = new Set<() => void>();
/** Identifies the changelog of this build. */
const current = String(import.meta.env['CHANGES']);

/** Notes for this browser that the user has seen what changed, or does not want to. */
export function noteChangesSeen(): void {
  localStorage.setItem(storageKey, current);
  for (const listener of listeners) listener();
}

/** Whether this build has changes that the user of this browser has not seen. */
export function useHasUnseenChanges(): boolean {
  const madeAt = useSession()?.user.created_at;
  const seen = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(storageKey),
  );
  if (seen !== null) return seen !== current;
  return madeAt !== undefined && Date.now() - Date.parse(madeAt) > newUserMs;
}
