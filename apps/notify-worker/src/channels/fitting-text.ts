import { linesAfter } from '../messages/message.ts';
import { cut } from './cut.ts';

/**
 * A text of at most `most` characters: its head, as many entries as fit, the first one cut if need be, and how many others
 * there are.
 * @param left events that are not among the entries
 */
export function fittingText({
  head,
  entries,
  left,
  most,
  between,
}: {
  readonly head: readonly string[];
  readonly entries: readonly string[];
  readonly left: number;
  readonly most: number;
  /** What is between head, entries and the end. */
  readonly between: string;
}): string {
  for (let shown = entries.length; shown > 1; shown -= 1) {
    const rest = linesAfter(left + entries.length - shown);
    const text = [...head, ...entries.slice(0, shown), ...rest].join(between);
    if (text.length <= most) return text;
  }
  const end = linesAfter(left + Math.max(0, entries.length - 1)).map((line) => `${between}${line}`);
  const start = [...head, ...entries.slice(0, 1)].join(between);
  return `${cut(start, most - end.join('').length)}${end.join('')}`;
}
