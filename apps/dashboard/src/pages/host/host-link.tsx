import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type HostSearch, useHostId } from './host-search.ts';

/** A link to another part of the same host's page. */
export function HostLink({
  search,
  children,
}: {
  readonly search: HostSearch;
  readonly children: ReactNode;
}) {
  return (
    <Link to="/hosts/$id" params={{ id: useHostId() }} search={search} resetScroll={false}>
      {children}
    </Link>
  );
}
