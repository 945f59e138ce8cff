import type { AffectedHost } from '@plimsoll/contract';
import { fixWords } from '@plimsoll/words';

type FixState = AffectedHost['packages'][number]['fix_state'];

/** Selects affected hosts: all, those with or without a fix, or those with a package in one fix state. */
export type FixFilter = 'all' | 'with_fix' | 'without_fix' | FixState;

const states = Object.keys(fixWords) as readonly FixState[]; // its keys are the states

/** The filters with their labels. */
export const fixFilters: readonly (readonly [FixFilter, string])[] = [
  ['all', 'Any fix state'],
  ['with_fix', 'With a fix'],
  ['without_fix', 'Without a fix'],
  ...states.map((state) => [state, fixWords[state].words] as const),
];

/** The filter in an address; all hosts if it is missing or unknown. */
export function fixFilterIn(text: string | undefined): FixFilter {
  return fixFilters.find(([filter]) => filter === text)?.[0] ?? 'all';
}

/** The hosts that match a filter; for a fix state, each with only the packages in that state. */
export function filterHosts(hosts: readonly AffectedHost[], filter: FixFilter): readonly AffectedHost[] {
  switch (filter) {
    case 'all':
      return hosts;
    case 'with_fix':
      return hosts.filter(hasFix);
    case 'without_fix':
      return hosts.filter((host) => !hasFix(host));
    default:
      return hosts.flatMap((host) => {
        const packages = host.packages.filter(({ fix_state }) => fix_state === filter);
        return packages.length === 0 ? [] : [{ ...host, packages }];
      });
  }
}

/** As the server counts `with_fix`: a package has a fixed version, installable or not. */
function hasFix({ packages }: AffectedHost): boolean {
  return packages.some(({ fixed_version }) => fixed_version !== null);
}
