import { digitRunEnd, isDigit } from '../digit-run.ts';
import type { KeyWriter } from '../key-writer.ts';
import { type NumberPlan, writeNumber } from '../key-writer.ts';
import type { VersionParts } from '../version-parts.ts';
import { isLetter } from './letter-run.ts';

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
