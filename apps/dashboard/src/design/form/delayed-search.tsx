import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { SearchField } from './fields.tsx';

interface DelayedSearchProps {
  readonly label: string;
  readonly placeholder?: string;
  /** The current search text. */
  readonly value: string;
  /** Called with the text when typing pauses, and immediately on Enter. */
  readonly onSearch: (text: string) => void;
}

const pauseMs = 300;

/** A search field that does not search on every key. */
export function DelayedSearch({ label, placeholder, value, onSearch }: DelayedSearchProps) {
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
    const timer = setTimeout(() => askNow(typed), pauseMs);
    return () => clearTimeout(timer);
  }, [typed]);
  return (
    <SearchField
      label={label}
      {...(placeholder !== undefined && { placeholder })}
      value={typed}
      onChange={setTyped}
      onSubmit={ask}
      onClear={() => ask('')}
    />
  );
}
