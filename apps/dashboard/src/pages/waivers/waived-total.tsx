import { Link } from '@tanstack/react-router';
import { useApiPages } from '../../api/pages.ts';
import { Notice } from '../../design/notice.tsx';
import { amountInWords } from '../../design/number-words.ts';
import { printable } from '../../design/text/printable.ts';

/** Says that waivers in force name an advisory or CVE, with a link to them; nothing without one. */
export function WaivedTotal({ name }: { readonly name: string }) {
  const query = useApiPages('/waivers', 1, { query: { state: 'active', names: name } });
  const total = query.data?.total ?? 0;
  if (total === 0) return null;
  return (
    <Notice tone="neutral">
      <p>
        <Link to="/waivers" search={{ names: name }}>
          {amountInWords(total, 'waiver', 'waivers')} in force
        </Link>{' '}
        {total === 1 ? 'names' : 'name'} {printable(name, 60)}. What is waived is marked below, and stays
        affected.
      </p>
    </Notice>
  );
}
