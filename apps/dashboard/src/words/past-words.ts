import { gapOrder, gapWords } from '@plimsoll/words';
import { blindingGaps } from './knowledge.ts';

/** Gaps with which findings of a past time may be missing. */
const hiding = [...blindingGaps, 'feed_lists_fixes_only', 'packages_unchecked'];

/** Why findings of a past time may be missing, from the header `Plimsoll-Gaps`; '' if nothing hides any. */
export function pastGapsInWords(header: string | undefined): string {
  const found = (header ?? '').split(',').map((gap) => gap.trim());
  return gapOrder
    .filter((gap) => found.includes(gap) && hiding.includes(gap))
    .map((gap) => gapWords[gap].words)
    .join(', ');
}
