import { SearchX, ShieldOff } from 'lucide-react';
import { Button, LinkButton } from '../../design/button.tsx';
import { Empty } from '../../design/states.tsx';
import { stateIn, useWaiversSearch } from './use-waivers-search.ts';

const noFilters = {
  state: 'all',
  kind: undefined,
  scope: undefined,
  q: undefined,
  names: undefined,
  host: undefined,
};

/** Text for an empty list of waivers. */
export function NoWaivers() {
  const [search, change] = useWaiversSearch();
  const { state: _state, id: _id, ...filters } = search;
  const isFiltered = Object.keys(filters).length > 0 || !['active', 'all'].includes(stateIn(search));
  if (isFiltered)
    return (
      <Empty
        title="No waiver matches"
        icon={SearchX}
        action={<Button onPress={() => change(noFilters)}>Show all, also ended ones</Button>}
      />
    );
  if (stateIn(search) === 'active')
    return (
      <Empty
        title="No waiver is in force"
        icon={ShieldOff}
        action={<LinkButton to="/findings">Show the findings</LinkButton>}
      >
        Accept a risk from a finding of a host, an advisory, a CVE, or selected rows of the findings.
      </Empty>
    );
  return <Empty title="No waiver was ever created" icon={ShieldOff} />;
}
