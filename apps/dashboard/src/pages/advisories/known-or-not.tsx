import { SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import { ApiProblem } from '../../api/problem.ts';
import { LinkButton } from '../../design/button.tsx';
import { printable } from '../../design/printable.ts';
import { Empty } from '../../design/states.tsx';

interface KnownOrNotProps {
  readonly error: Error | null;
  readonly what: 'advisory' | 'CVE';
  readonly id: string;
  /** The server answers, and knows of nothing under the id. */
  readonly isMissing?: boolean;
  readonly children: ReactNode;
}

/** What is inside, unless the server says that no feed has anything under the id. */
export function KnownOrNot({ error, what, id, isMissing = false, children }: KnownOrNotProps) {
  const isUnknown = isMissing || (error instanceof ApiProblem && error.status === 404);
  if (!isUnknown) return children;
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
        ? 'No feed here lists it. It may be newer than their data, or concern none of the distributions in use: whether hosts are affected is not known.'
        : 'The id may be spelled otherwise, or its feed is not read here.'}
    </Empty>
  );
}
