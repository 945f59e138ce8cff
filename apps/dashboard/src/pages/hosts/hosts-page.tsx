import { useMutation } from '@tanstack/react-query';
import { Download, Plus } from 'lucide-react';
import { useEffect } from 'react';
import { download } from '../../api/download.ts';
import { useMay } from '../../api/session.ts';
import { Button, LinkButton } from '../../design/button.tsx';
import { Page } from '../../design/page/page.tsx';
import { toast } from '../../design/toasts.tsx';
import { SaveGroup } from '../groups/save-group.tsx';
import { FilterBar } from './filters/filter-bar.tsx';
import { FilterChips } from './filters/filter-chips.tsx';
import type { HostQuery } from './host-query.ts';
import { hostQueryOf } from './host-query.ts';
import { useHostsSearch } from './hosts-search.ts';
import { rememberHostsList } from './last-list.ts';
import { HostsList } from './table/hosts-list.tsx';

/** The list of all hosts: search, filters, order, selection and actions. */
export function HostsPage() {
  const [search] = useHostsSearch();
  const isOperator = useMay('operator');
  const query = hostQueryOf(search);
  useEffect(() => rememberHostsList(search), [search]);
  return (
    <Page
      title="Hosts"
      actions={
        <>
          <SaveGroup />
          <OddOnesOut />
          <ExportHosts query={query} />
          {isOperator && (
            <LinkButton to="/add-hosts" look="primary">
              <Plus aria-hidden /> Add hosts
            </LinkButton>
          )}
        </>
      }
    >
      <FilterBar />
      <FilterChips />
      <HostsList query={query} />
    </Page>
  );
}

/** Leads to the hosts of the list that differ from nearly all others. */
function OddOnesOut() {
  const [{ sort: _sort, retired, approval_status: _status, ...filters }] = useHostsSearch();
  if (retired !== undefined) return null;
  return (
    <LinkButton to="/odd-ones-out" search={filters}>
      Odd ones out
    </LinkButton>
  );
}

/** Saves the complete list as CSV, with the current filters and order. */
function ExportHosts({ query }: { readonly query: HostQuery }) {
  const save = useMutation({ mutationFn: () => download('/hosts.csv', { query }), onError: toast.failed });
  return (
    <Button isPending={save.isPending} onPress={() => save.mutate()}>
      <Download aria-hidden /> {save.isPending ? 'Preparing the CSV…' : 'CSV'}
    </Button>
  );
}
