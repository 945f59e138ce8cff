import { digitRunEnd, isDigit, type KeyWriter, type NumberPlan, writeNumber } from './numbers.ts';
import {
  ABSENT_EPOCH,
  MAX_VERSION_CHARACTERS,
  type UnparseableVersion,
  unparseable,
  type VersionParts,
} from './version.ts';

const COLON = 0x3a;
const DASH = 0x2d;

/**
 * Finds the parts of `[epoch:]upstream[-revision]`: the first colon ends the epoch, the last dash starts the revision.
 *
 * Accepts what `dpkg --compare-versions` accepts: blanks (space, tab) around the version, an upstream version that
 * does not start with a digit, `_` anywhere, `:` in the revision. The epoch `(none)` is 0, and an epoch may exceed
 * dpkg's limit of 2147483647. Refuses an empty text, an empty upstream version, an empty revision after a dash, an
 * epoch that is not all digits, and every character except ASCII letters, digits and `+ - . : ~ _`: inner whitespace,
 * control characters and non-ASCII text are refused.
 */
export function locateDpkgParts(text: string): VersionParts | UnparseableVersion {
  if (text.length > MAX_VERSION_CHARACTERS) return unparseable('too_long');
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  if (start === end) return unparseable('empty');

  const epochIsAbsent = text.startsWith(ABSENT_EPOCH, start);
  let colon = epochIsAbsent ? start + ABSENT_EPOCH.length - 1 : -1;
  let dash = -1;
  for (let at = epochIsAbsent ? colon + 1 : start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) continue;
    if (dpkgCharacterCode(code) === 0) return unparseable('invalid_character');
    if (code === DASH) dash = at;
    else if (code === COLON && colon < 0) colon = at;
  }

  const epochStart = epochIsAbsent ? colon : start;
  const epochEnd = colon < 0 ? start : colon;
  const epochIsEmpty = colon === start;
  if (epochIsEmpty || digitRunEnd(text, epochStart, epochEnd) < epochEnd) return unparseable('invalid_epoch');

  const versionStart = colon < 0 ? start : colon + 1;
  const versionEnd = dash < 0 ? end : dash;
  if (versionStart >= versionEnd) return unparseable('empty_version');
  if (dash === end - 1) return unparseable('empty_revision');
  const releaseStart = dash < 0 ? -1 : dash + 1;
  return { kind: 'parts', epochStart, epochEnd, versionStart, versionEnd, releaseStart, releaseEnd: end };
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

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
function dpkgCharacterCode(code: number): number {
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
