import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { SearchField } from './fields.tsx';

interface DelayedSearchProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly maxLength?: number;
  /** The current search text. */
  readonly value: string;
  /** Called with the text when typing pauses, and immediately on Enter. */
  readonly onSearch: (text: string) => void;
}

const pauseMs = 300;

/**
 * A search field that does not search on every key. Once a link to another page was followed it does not search any
 * more: a change of this page's address would take the reader back while the other page loads.
 */
export function DelayedSearch({ value, onSearch, ...field }: DelayedSearchProps) {
  const router = useRouter();
  const [typed, setTyped] = useState(value);
  const asked = useRef(value);
  // Changed from outside, for example by the back button.
  useEffect(() => {
    if (value === asked.current) return;
    asked.current = value;
    setTyped(value);
  }, [value]);
  const ask = (text: string) => {
    const wanted = text.trim();
    if (wanted === asked.current) return;
    asked.current = wanted;
    onSearch(wanted);
  };
  const askNow = useEffectEvent(ask);
  useEffect(() => {
    const { pathname } = router.latestLocation;
    const timer = setTimeout(() => {
      if (router.latestLocation.pathname === pathname) askNow(typed);
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [router, typed]);
  return <SearchField {...field} value={typed} onChange={setTyped} onSubmit={ask} onClear={() => ask('')} />;
}
