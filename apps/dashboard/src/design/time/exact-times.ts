import { useSyncExternalStore } from 'react';

const storageKey = 'plimsoll.times';
const listeners = new Set<() => void>();
let current = localStorage.getItem(storageKey) === 'exact';

/** Sets for this browser whether times are shown as date and time, not as a distance from now. */
export function setExactTimes(exact: boolean): void {
  current = exact;
  localStorage.setItem(storageKey, exact ? 'exact' : 'relative');
  for (const listener of listeners) listener();
}

/** Whether times are shown as date and time. */
export function useExactTimes(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}
