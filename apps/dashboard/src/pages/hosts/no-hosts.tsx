import { Server } from 'lucide-react';
import { useMay } from '../../api/session.ts';
import { Button, LinkButton } from '../../design/button.tsx';
import { Empty } from '../../design/states.tsx';
import { noFilters } from './filter-chips.tsx';
import { useHostsSearch } from './use-hosts-search.ts';

/** There is no host, or none that the filters let through. */
export function NoHosts({ isFiltered }: { readonly isFiltered: boolean }) {
  const [, change] = useHostsSearch();
  const isOperator = useMay('operator');
  if (isFiltered)
    return (
      <Empty
        title="No host matches"
        action={<Button onPress={() => change(noFilters)}>Clear the search and all filters</Button>}
      >
        Every filter has to hold for a host to be shown.
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
        ? 'Add one with an agent, over SSH or by hand; it takes a minute.'
        : 'An operator or administrator has to add one.'}
    </Empty>
  );
}
