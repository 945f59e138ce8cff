import type { WireTimestamp } from '../snapshot/field-reader.ts';

const form = /^\d{1,12}$/;

/** Seconds since 1970 as a wire timestamp; null if `text` is not a whole number. */
export function parseSeconds(text: string): WireTimestamp | null {
  return form.test(text) ? { seconds: BigInt(text), nanos: 0 } : null;
}
