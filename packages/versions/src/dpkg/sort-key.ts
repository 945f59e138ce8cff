import { digitRunEnd, isDigit } from '../digit-run.ts';
import { type KeyWriter, type NumberPlan, writeNumber } from '../key-writer.ts';
import type { VersionParts } from '../version-parts.ts';

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

const PUNCTUATION = '+-.:_';
const FIRST_LETTER = 0xc2;

/**
 * Key byte of a non-digit character of a Debian version, in dpkg's order: `~`, then (end 02 and numbers 03 to C1),
 * letters, punctuation. 0 for digits and for characters that are invalid in a version.
 */
export function dpkgCharacterCode(code: number): number {
  return code < CODES.length ? (CODES[code] ?? 0) : 0;
}

const CODES = codes();

function codes(): Uint8Array {
  const table = new Uint8Array(128);
  table[0x7e] = 0x01;
  for (let letter = 0; letter < 26; letter++) {
    table[0x41 + letter] = FIRST_LETTER + letter;
    table[0x61 + letter] = FIRST_LETTER + 26 + letter;
  }
  for (let index = 0; index < PUNCTUATION.length; index++) {
    table[PUNCTUATION.charCodeAt(index)] = FIRST_LETTER + 52 + index;
  }
  return table;
}
