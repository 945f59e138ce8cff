import { digitRunEnd, isDigit, type KeyWriter, type NumberPlan, writeNumber } from './numbers.ts';
import {
  ABSENT_EPOCH,
  ABSENT_TAG,
  MAX_VERSION_CHARACTERS,
  type UnparseableVersion,
  unparseable,
  type VersionParts,
} from './version.ts';

const COLON = 0x3a;
const DASH = 0x2d;

/**
 * Finds the parts of `[epoch:]version[-release]` as rpm does: digits before a colon are the epoch (no digits: 0), the
 * last dash starts the release, which may be empty. Further colons and dashes belong to the version.
 *
 * `(none)`, which rpm prints for an absent tag, is epoch 0 and a missing release. Refuses an empty text, an empty or
 * `(none)` version, and whitespace or control characters anywhere. Accepts every other character: rpmvercmp skips
 * unknown characters, including non-ASCII letters.
 */
export function locateRpmParts(text: string): VersionParts | UnparseableVersion {
  if (text.length > MAX_VERSION_CHARACTERS) return unparseable('too_long');
  const end = text.length;
  if (end === 0) return unparseable('empty');

  let epochEnd = digitRunEnd(text, 0);
  let versionStart = epochEnd + 1;
  if (text.startsWith(ABSENT_EPOCH)) {
    versionStart = ABSENT_EPOCH.length;
  } else if (text.charCodeAt(epochEnd) !== COLON) {
    epochEnd = 0;
    versionStart = 0;
  }

  let dash = -1;
  for (let at = versionStart; at < end; at++) {
    const code = text.charCodeAt(at);
    if (isBlankOrControl(code)) return unparseable('invalid_character');
    if (code === DASH) dash = at;
  }

  const versionEnd = dash < 0 ? end : dash;
  const versionIsEmpty = versionStart >= versionEnd || isAbsent(text, versionStart, versionEnd);
  if (versionIsEmpty) return unparseable('empty_version');
  const releaseStart = dash < 0 || isAbsent(text, dash + 1, end) ? -1 : dash + 1;
  return { kind: 'parts', epochStart: 0, epochEnd, versionStart, versionEnd, releaseStart, releaseEnd: end };
}

function isBlankOrControl(code: number): boolean {
  return code <= 0x20 || (code >= 0x7f && code <= 0xa0);
}

function isAbsent(text: string, start: number, end: number): boolean {
  return end - start === ABSENT_TAG.length && text.startsWith(ABSENT_TAG, start);
}

const NUMBERS: NumberPlan = { first: 0x05, wideLeads: 0x6c };
const NO_RELEASE = 0x00;
const TILDE = 0x01;
const END_OF_LETTERS = 0x01;
const END = 0x02;
const CARET = 0x03;
const LETTERS = 0x04;

/**
 * Writes epoch, version and release; a missing release is a lone 00, below every release. `~` is 01, the end of a part
 * 02, `^` 03. A run of letters is 04, the letters, 01. A number starts with 05 to FF. Separators are not written.
 */
export function writeRpmKey(key: KeyWriter, text: string, parts: VersionParts): void {
  writeNumber(NUMBERS, key, text, parts.epochStart, parts.epochEnd);
  writePart(key, text, parts.versionStart, parts.versionEnd);
  if (parts.releaseStart < 0) key.byte(NO_RELEASE);
  else writePart(key, text, parts.releaseStart, parts.releaseEnd);
}

function writePart(key: KeyWriter, text: string, start: number, end: number): void {
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      const digitsEnd = digitRunEnd(text, at, end);
      writeNumber(NUMBERS, key, text, at, digitsEnd);
      at = digitsEnd;
    } else if (isLetter(code)) {
      at = writeLetters(key, text, at, end);
    } else {
      if (code === 0x7e) key.byte(TILDE);
      else if (code === 0x5e) key.byte(CARET);
      at++;
    }
  }
  key.byte(END);
}

function writeLetters(key: KeyWriter, text: string, start: number, end: number): number {
  key.byte(LETTERS);
  let at = start;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!isLetter(code)) break;
    key.byte(code);
  }
  key.byte(END_OF_LETTERS);
  return at;
}

/** Whether a character code is an ASCII letter; rpm knows no others. */
function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}
