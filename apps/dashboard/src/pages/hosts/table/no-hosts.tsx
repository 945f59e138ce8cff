import { Server } from 'lucide-react';
import { useMay } from '../../../api/session.ts';
import { Button, LinkButton } from '../../../design/button.tsx';
import { Empty } from '../../../design/states.tsx';
import { noFilters } from '../filters/filter-chips.tsx';
import { useHostsSearch } from '../use-hosts-search.ts';

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
      />
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
