import { useSyncExternalStore } from 'react';

/** Style sheets of two-line rows use the same width. */
const narrow = matchMedia('(max-width: 34rem)');

function subscribe(changed: () => void): () => void {
  narrow.addEventListener('change', changed);
  return () => narrow.removeEventListener('change', changed);
}

/** Whether the window is as narrow as a phone. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches);
}
