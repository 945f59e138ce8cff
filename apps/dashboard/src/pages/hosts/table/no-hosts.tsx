import { Link } from '@tanstack/react-router';
import { Server } from 'lucide-react';
import { useApiWithHeaders } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button, LinkButton } from '../../../design/button.tsx';
import { hostsInWords } from '../../../design/number-words.ts';
import { Empty } from '../../../design/states.tsx';
import { apartFromFindings, areAboutFindings, mayHoldByUnfixed } from '../filters/about-findings.ts';
import { noFilters } from '../filters/filter-chips.tsx';
import { hostQueryOf } from '../host-query.ts';
import { type HostsSearch, useHostsSearch } from '../hosts-search.ts';

/** Text for an empty list: no hosts, or no match. */
export function NoHosts({ isFiltered }: { readonly isFiltered: boolean }) {
  const [{ sort: _sort, ...filters }, change] = useHostsSearch();
  const isOperator = useMay('operator');
  if (filters.approval_status === 'pending' && Object.keys(filters).length === 1)
    return (
      <Empty
        title="No hosts to approve"
        action={<Button onPress={() => change(noFilters)}>Show all hosts</Button>}
      />
    );
  if (filters.retired === 'true' && Object.keys(filters).length === 1)
    return (
      <Empty
        title="No retired hosts"
        action={<Button onPress={() => change(noFilters)}>Show the hosts in service</Button>}
      >
        Retiring a host keeps its history and removes it from all lists and totals.
      </Empty>
    );
  if (isFiltered)
    return (
      <Empty
        title="No host matches all filters"
        action={<Button onPress={() => change(noFilters)}>Clear the search and all filters</Button>}
      >
        {areAboutFindings(filters) && filters.findings_known !== 'true' && (
          <MayBelong list={{ ...apartFromFindings(filters), findings_known: 'false' }}>
            Not all findings are known of
          </MayBelong>
        )}
        {mayHoldByUnfixed(filters) && filters.gap === undefined && (
          <MayBelong list={{ ...apartFromFindings(filters), gap: 'feed_lists_fixes_only' }}>
            Findings without a fix are not known of
          </MayBelong>
        )}
      </Empty>
    );
  return (
    <Empty
      title="No hosts yet"
      icon={Server}
      action={
        isOperator && (
          <LinkButton to="/add-hosts" look="primary">
            Add a host
          </LinkButton>
        )
      }
    >
      {isOperator
        ? 'Add hosts with an agent, over SSH or by manual upload.'
        : 'An operator or administrator can add hosts.'}
    </Empty>
  );
}

interface MayBelongProps {
  readonly list: HostsSearch;
  /** What is not known of these hosts, up to their number. */
  readonly children: string;
}

/** Hosts that an empty list of hosts with findings cannot rule out; nothing without any. */
function MayBelong({ list, children }: MayBelongProps) {
  const { data } = useApiWithHeaders('/hosts', { query: { ...hostQueryOf(list), limit: '1' } });
  if (data === undefined || data.total === 0) return null;
  return (
    <span>
      {children}{' '}
      <Link to="/hosts" search={list}>
        {hostsInWords(data.total)}
      </Link>
      , which may belong here.{' '}
    </span>
  );
}
