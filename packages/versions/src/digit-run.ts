import type { Order } from './version.ts';

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

/** Orders two runs of decimal digits of any length by value; the empty run is 0. */
export function compareDigitRuns(a: string, b: string): Order {
  const left = withoutLeadingZeros(a);
  const right = withoutLeadingZeros(b);
  if (left.length !== right.length) return left.length < right.length ? -1 : 1;
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function withoutLeadingZeros(digits: string): string {
  let at = 0;
  while (digits[at] === '0') at++;
  return digits.slice(at);
}
