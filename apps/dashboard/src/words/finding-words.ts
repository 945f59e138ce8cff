import type { VulnerablePackage } from '@plimsoll/contract';
import { fixWords } from '@plimsoll/words';
import { groupedNumber } from '../design/number-words.ts';

type FixState = VulnerablePackage['fix_state'];

/**
 * That a finding's way to be fixed is not that of all its advisories, and those of the others with their numbers; null
 * if it is: the state of a finding is the best one of its advisories.
 */
export function otherFixStates(
  fixState: FixState,
  advisories: readonly { readonly fix_state: FixState }[],
): string | null {
  const others = advisories.map(({ fix_state }) => fix_state).filter((state) => state !== fixState);
  if (others.length === 0) return null;
  const counted = [...new Set(others)].map((state) => {
    const count = others.filter((other) => other === state).length;
    return `${fixWords[state].words.toLowerCase()} (${count})`;
  });
  return `This is so for ${advisories.length - others.length} of ${advisories.length} advisories. The others: ${counted.join(', ')}.`;
}

/**
 * How many rows are not counted because their vendors have decided on none of their advisories; null: none. Waived rows
 * are counted apart, whatever their vendors say.
 */
export function uncountedInWords(
  rows: readonly {
    readonly advisories: readonly { readonly fix_state: FixState }[];
    readonly waiver?: unknown;
  }[],
): string | null {
  const undecided = rows.filter(
    ({ advisories, waiver }) =>
      waiver === undefined && advisories.every(({ fix_state }) => fix_state === 'under_investigation'),
  ).length;
  if (undecided === 0) return null;
  const which =
    undecided === 1
      ? 'row is not counted because its vendor is'
      : 'rows are not counted because their vendors are';
  return `${groupedNumber(undecided)} ${which} still investigating whether the package is affected.`;
}
