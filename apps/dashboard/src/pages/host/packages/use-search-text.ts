import { useEffect, useState } from 'react';
import { useHostSearch } from '../use-host-search.ts';

const settledMs = 200;

/** Text of a search field; the address follows when typing pauses. */
export function useSearchText(): readonly [string, (text: string) => void] {
  const [{ q = '' }, change] = useHostSearch();
  const [text, setText] = useState(q);
  useEffect(() => {
    if (text === q) return;
    const timer = setTimeout(() => change({ q: text }), settledMs);
    return () => clearTimeout(timer);
  }, [text, q, change]);
  return [text, setText];
}
