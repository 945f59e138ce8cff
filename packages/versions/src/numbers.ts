/** Whether a character code is an ASCII digit. False for NaN, the code past a text's end. */
export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Index after the digits that start at `start`; `start` if there are none. */
export function digitRunEnd(text: string, start: number, end = text.length): number {
  let at = start;
  while (at < end && isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** Longest sort key, in bytes: a key must fit into a database index entry together with other columns. */
export const MAX_KEY_BYTES = 1000;

/** Collects the bytes of one key at a time. One writer is reused, because imports write millions of keys. */
export class KeyWriter {
  readonly #bytes = new Uint8Array(MAX_KEY_BYTES);
  #length = 0;

  /** Starts a new key. */
  reset(): void {
    this.#length = 0;
  }

  /** Appends one byte, 0 to 255. */
  byte(value: number): void {
    this.#bytes[this.#length++] = value;
  }

  /** Returns a copy of the bytes since the reset. Throws RangeError above MAX_KEY_BYTES. */
  finish(): Uint8Array {
    if (this.#length > MAX_KEY_BYTES) throw new RangeError(`sort key over ${MAX_KEY_BYTES} bytes`);
    return this.#bytes.slice(0, this.#length);
  }
}

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
