import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { LinkButton } from '../../design/button.tsx';
import { Empty } from '../../design/states.tsx';
import { printable } from '../../design/text/printable.ts';

interface KnownOrNotProps {
  readonly error: Error | null;
  readonly what: 'advisory' | 'CVE';
  readonly id: string;
  readonly children: ReactNode;
}

/** Renders its children; after a 404 a text that no feed has the id. */
export function KnownOrNot({ error, what, id, children }: KnownOrNotProps) {
  if (!(error instanceof ApiProblem) || error.status !== 404) return children;
  return (
    <Empty
      title={`No feed has this ${what}`}
      icon={SearchX}
      action={
        <LinkButton to="/advisories" search={{ affecting: 'false', q: printable(id) }}>
          Search for it
        </LinkButton>
      }
    >
      {what === 'CVE'
        ? 'This is not the id of a CVE, such as CVE-2024-6387.'
        : 'Check the spelling. Its feed may not be synced here, or may be too old.'}
    </Empty>
  );
}
