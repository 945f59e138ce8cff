import { z } from 'zod';
import { validationFailed } from './field-errors.ts';

/** The place where a page ends, as opaque text for the next link. */
export function encodeCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** The place an opaque cursor stands for. Throws `validation_failed` for one that we did not write, or not for this list. */
export function decodeCursor<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(jsonOf(Buffer.from(text, 'base64url').toString('utf8')));
  if (result.success) return result.data;
  throw validationFailed([{ pointer: '/cursor', detail: 'must come from the "next" link of the same list' }]);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No schema takes undefined.
    return undefined;
  }
}

const sequenceSchema = z.string().regex(/^\d{1,18}$/);

/** A cursor into a list that is ordered by sequence numbers. */
export function encodeSequence(sequence: bigint): string {
  return encodeCursor(sequence.toString());
}

/** As `decodeCursor`; null for no cursor. */
export function decodeSequence(text: string | undefined): bigint | null {
  return text === undefined ? null : BigInt(decodeCursor(text, sequenceSchema));
}
