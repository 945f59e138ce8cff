import { useEffect, useState } from 'react';
import { SearchField } from '../../../design/form/fields.tsx';
import { useHostsSearch } from '../use-hosts-search.ts';

const pauseMs = 250;

/** The search field; the address follows when typing pauses. */
export function HostSearchField() {
  const [{ q = '' }, change] = useHostsSearch();
  const [text, setText] = useState(q);
  const [known, setKnown] = useState(q);
  const [sent, setSent] = useState(q);
  if (q !== known) {
    setKnown(q);
    // The address returns the typed text with a delay, when more may be typed; any other text was set
    // elsewhere.
    if (q !== sent) setText(q);
  }
  const wanted = text.trim();
  useEffect(() => {
    if (wanted === q) return;
    const timer = setTimeout(() => {
      setSent(wanted);
      change({ q: wanted });
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [wanted, q, change]);
  return (
    <SearchField
      label="Search by name, hostname or address"
      value={text}
      onChange={setText}
      maxLength={253}
    />
  );
}
