import { verdictWords, type Word } from '@plimsoll/words';
import { printable } from '../design/text/printable.ts';

/** Whether an installed package was checked, or which other package was checked instead. */
export function checkWord({ verdict, verdict_reason, checked, covered_by }: CheckedPackage): Word {
  if (covered_by !== null)
    return { ...verdictWords.excluded, words: `Covered by ${printable(covered_by, 40)}` };
  if (verdict_reason === 'not_a_package') return { ...verdictWords.excluded, words: 'Not a package' };
  if (checked) return verdictWords.comparable;
  return verdict === 'comparable'
    ? { words: 'Not checked', tone: 'neutral', meaning: 'No current data or running code to check it with.' }
    : verdictWords[verdict];
}

/** The fields of a package that say whether it was checked. */
export interface CheckedPackage {
  readonly verdict: keyof typeof verdictWords;
  readonly verdict_reason: string | null;
  readonly checked: boolean;
  readonly covered_by: string | null;
}
