import { LinkButton } from '../../design/button.tsx';
import { groupedNumber } from '../../design/number-words.ts';
import { mostInAddress } from './plans-search.ts';

/** Leads to the plan for hosts by their ids; nothing if there is none, or if they are more than an address names. */
export function PlanHostsLink({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0 || ids.length > mostInAddress) return null;
  return (
    <LinkButton to="/plans" search={{ hosts: ids.join(',') }} look="quiet">
      {ids.length === 1 ? 'Plan updates' : `Plan updates of all ${groupedNumber(ids.length)}`}
    </LinkButton>
  );
}
