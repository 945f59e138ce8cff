import { compareDigitRuns, digitRunEnd, isDigit } from '../digit-run.ts';
import type { Order, RpmVersion } from '../version.ts';
import { isLetter, letterRunEnd } from './letter-run.ts';

/** Rank of a part's next segment against a segment of another kind. */
const RANK = { tilde: 0, end: 1, caret: 2, letters: 3, digits: 4, separator: 5 } as const;

type Rank = (typeof RANK)[keyof typeof RANK];

/**
 * Orders two EVRs as rpm does: epoch, then version, then release by rpmvercmp, where `~` sorts before everything, `^`
 * just after the end of the part, letters before digits, and separators are ignored. A missing release sorts before
 * every release. Total.
 */
export function compareRpmVersions(a: RpmVersion, b: RpmVersion): Order {
  return (
    compareDigitRuns(a.epoch, b.epoch) ||
    compareParts(a.version, b.version) ||
    compareReleases(a.release, b.release)
  );
}

function compareReleases(a: string | null, b: string | null): Order {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return compareParts(a, b);
}

function compareParts(a: string, b: string): Order {
  let i = segmentStart(a, 0);
  let j = segmentStart(b, 0);
  for (;;) {
    const left = rankAt(a, i);
    const right = rankAt(b, j);
    if (left !== right) return left < right ? -1 : 1;
    if (left === RANK.end) return 0;

    let iEnd = i + 1;
    let jEnd = j + 1;
    if (left === RANK.letters || left === RANK.digits) {
      const runEnd = left === RANK.letters ? letterRunEnd : digitRunEnd;
      iEnd = runEnd(a, i);
      jEnd = runEnd(b, j);
      const compare = left === RANK.letters ? compareLetters : compareDigitRuns;
      const order = compare(a.slice(i, iEnd), b.slice(j, jEnd));
      if (order !== 0) return order;
    }
    i = segmentStart(a, iEnd);
    j = segmentStart(b, jEnd);
  }
}

function segmentStart(text: string, from: number): number {
  let at = from;
  while (rankAt(text, at) === RANK.separator) at++;
  return at;
}

function rankAt(text: string, at: number): Rank {
  if (at >= text.length) return RANK.end;
  const code = text.charCodeAt(at);
  if (code === 0x7e) return RANK.tilde;
  if (code === 0x5e) return RANK.caret;
  if (isDigit(code)) return RANK.digits;
  return isLetter(code) ? RANK.letters : RANK.separator;
}

function compareLetters(a: string, b: string): Order {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
