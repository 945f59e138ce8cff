import { compareDigitRuns, digitRunEnd, isDigit } from '../digit-run.ts';
import type { DpkgVersion, Order } from '../version.ts';

/**
 * Orders two Debian versions as dpkg does: epoch, then upstream version, then revision, where `~` sorts before the end
 * of the part, letters before other characters, and a missing revision is "0". Total. See deb-version(7).
 */
export function compareDpkgVersions(a: DpkgVersion, b: DpkgVersion): Order {
  return (
    compareDigitRuns(a.epoch, b.epoch) ||
    compareParts(a.upstream, b.upstream) ||
    compareParts(a.revision ?? '', b.revision ?? '')
  );
}

/** Compares alternately the characters before the next digits and those digits as a number. */
function compareParts(a: string, b: string): Order {
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    let left = weight(a.charCodeAt(i));
    let right = weight(b.charCodeAt(j));
    while (left === right && left !== 0) {
      left = weight(a.charCodeAt(++i));
      right = weight(b.charCodeAt(++j));
    }
    if (left !== right) return left < right ? -1 : 1;

    const iEnd = digitRunEnd(a, i);
    const jEnd = digitRunEnd(b, j);
    const order = compareDigitRuns(a.slice(i, iEnd), b.slice(j, jEnd));
    if (order !== 0) return order;
    i = iEnd;
    j = jEnd;
  }
  return 0;
}

/** Sort weight of a character; a digit or the end of the part (code NaN) ends a run of other characters. */
function weight(code: number): number {
  if (Number.isNaN(code) || isDigit(code)) return 0;
  if (code === 0x7e) return -1;
  const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
  return isLetter ? code : code + 256;
}
