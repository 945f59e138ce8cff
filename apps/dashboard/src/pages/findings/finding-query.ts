import type { FindingGrouping } from '@plimsoll/contract';
import { fixWords, severityOrder } from '@plimsoll/words';
import type { FindingsSearch } from './findings-search.ts';

const groupings = ['advisory', 'cve', 'package', 'host'] as const satisfies readonly FindingGrouping[];

type FixState = keyof typeof fixWords;

/** Fix states in the order in which a row counts a host. */
export const fixOrder = Object.keys(fixWords) as readonly FixState[]; // its own keys

/** What the rows are about; an unknown value is the default. */
export function groupingIn({ group_by }: FindingsSearch): FindingGrouping {
  return groupings.find((known) => known === group_by) ?? 'advisory';
}

/** Query of GET /findings; drops values that the API does not know. */
export function findingQueryOf(search: FindingsSearch) {
  const severity = severityOrder.find((known) => known === search.severity);
  const state = fixOrder.find((known) => known === search.fix_state);
  const before = search.first_seen_before === undefined ? Number.NaN : Date.parse(search.first_seen_before);
  return {
    group_by: groupingIn(search),
    ...given('q', search.q),
    ...(severity !== undefined && severity !== 'none' && { severity }),
    ...(search.known_exploited === 'true' && { known_exploited: 'true' }),
    ...(state !== undefined && { fix_state: state }),
    ...(search.overdue === 'true' && { overdue: 'true' as const }),
    ...given('tag', search.tag),
    ...(!Number.isNaN(before) && { first_seen_before: new Date(before).toISOString() }),
    ...(search.include_waived === 'true' && { include_waived: 'true' }),
    ...(search.only_waived === 'true' && { only_waived: 'true' as const }),
    ...given('advisory', search.advisory),
    ...given('cve', search.cve),
    ...given('package', search.package),
    ...given('host', search.host),
  };
}

function given<const Name extends string>(name: Name, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { readonly [K in Name]?: string }; // one name
}
