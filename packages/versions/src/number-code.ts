import type { KeyWriter } from './key-writer.ts';

const SMALL_VALUES = 128;
const LONGEST_SHORT_PAIRS = 14;

/**
 * The lead bytes that a scheme assigns to its numbers. From `first` on: 128 values in one byte each, then `wideLeads`
 * lead bytes followed by a low byte, then 14 lead bytes that give the number of digit pairs that follow, then one lead
 * byte followed by a two-byte pair count.
 */
export interface NumberPlan {
  readonly first: number;
  readonly wideLeads: number;
}

/**
 * Writes the number whose digits are `text[start, end)` so that byte order is numeric order, at any length. Ignores
 * leading zeros, and an empty range is 0, so equal numbers have equal codes. Writes at most one byte per digit, and
 * one byte for an empty range.
 */
export function writeNumber(
  plan: NumberPlan,
  key: KeyWriter,
  text: string,
  start: number,
  end: number,
): void {
  let at = start;
  while (at < end && text.charCodeAt(at) === 48) at++;
  const digits = end - at;
  if (digits <= 5 && writeShort(plan, key, decimalValue(text, at, end))) return;

  const firstLong = plan.first + SMALL_VALUES + plan.wideLeads;
  const pairs = (digits + 1) >> 1;
  if (pairs <= LONGEST_SHORT_PAIRS) {
    key.byte(firstLong + pairs - 1);
  } else {
    key.byte(firstLong + LONGEST_SHORT_PAIRS);
    key.byte(pairs >> 8);
    key.byte(pairs & 0xff);
  }
  // Pairs are counted from the end: with an odd number of digits the first pair has one digit.
  if ((digits & 1) === 1) key.byte(text.charCodeAt(at++) - 48);
  for (; at < end; at += 2) key.byte((text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48);
}

function decimalValue(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) value = value * 10 + text.charCodeAt(at) - 48;
  return value;
}

function writeShort(plan: NumberPlan, key: KeyWriter, value: number): boolean {
  if (value < SMALL_VALUES) {
    key.byte(plan.first + value);
    return true;
  }
  const wide = value - SMALL_VALUES;
  if (wide >= plan.wideLeads * 256) return false;
  key.byte(plan.first + SMALL_VALUES + (wide >> 8));
  key.byte(wide & 0xff);
  return true;
}
