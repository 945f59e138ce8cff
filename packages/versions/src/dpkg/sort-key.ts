import { digitRunEnd, isDigit } from '../digit-run.ts';
import type { KeyWriter } from '../key-writer.ts';
import { type NumberPlan, writeNumber } from '../number-code.ts';
import type { VersionParts } from '../version-parts.ts';
import { dpkgCharacterCode } from './character-code.ts';

const NUMBERS: NumberPlan = { first: 0x03, wideLeads: 0x30 };
const END = 0x02;

/**
 * Writes epoch, upstream version and revision (a missing one like an empty one, which equals "0"). `~` is 01, the end
 * of a part 02, numbers 03 to C1, other characters higher in dpkg's order.
 */
export function writeDpkgKey(key: KeyWriter, text: string, parts: VersionParts): void {
  writeNumber(NUMBERS, key, text, parts.epochStart, parts.epochEnd);
  writePart(key, text, parts.versionStart, parts.versionEnd);
  if (parts.releaseStart < 0) writePart(key, text, parts.releaseEnd, parts.releaseEnd);
  else writePart(key, text, parts.releaseStart, parts.releaseEnd);
}

/** Writes characters and a number alternately, at least once and to the end of the part, as dpkg compares them. */
function writePart(key: KeyWriter, text: string, start: number, end: number): void {
  let at = start;
  do {
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (isDigit(code)) break;
      key.byte(dpkgCharacterCode(code));
    }
    const digitsEnd = digitRunEnd(text, at, end);
    writeNumber(NUMBERS, key, text, at, digitsEnd);
    at = digitsEnd;
  } while (at < end);
  key.byte(END);
}
