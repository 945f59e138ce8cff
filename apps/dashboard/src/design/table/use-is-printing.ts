import { useSyncExternalStore } from 'react';

let isPrinting = false;

function subscribe(changed: () => void): () => void {
  const set = (printing: boolean) => () => {
    isPrinting = printing;
    changed();
  };
  const [before, after] = [set(true), set(false)];
  addEventListener('beforeprint', before);
  addEventListener('afterprint', after);
  return () => {
    removeEventListener('beforeprint', before);
    removeEventListener('afterprint', after);
  };
}

/** Whether the page is being printed: then what a screen folds or scrolls is shown. */
export function useIsPrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isPrinting);
}
