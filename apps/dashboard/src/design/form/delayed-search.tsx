import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { SearchField } from './fields.tsx';

interface DelayedSearchProps {
  readonly label: string;
  readonly placeholder?: string;
  /** What is searched for now. */
  readonly value: string;
  /** Takes what was typed once there is a pause, and at once on Enter. */
  readonly onSearch: (text: string) => void;
}

const pauseMs = 300;

/** A line to search by that does not ask with every key. */
export function DelayedSearch({ label, placeholder, value, onSearch }: DelayedSearchProps) {
  const [typed, setTyped] = useState(value);
  const asked = useRef(value);
  // Somebody else, such as the back button, has changed it.
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
