import { z } from 'zod';
import { validationFailed } from './request-fields.ts';

/** The end of a page as opaque text for the next link. */
export function encodeCursor(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/**
 * The place encoded in a cursor. Throws `validation_failed` for a cursor that was not issued by the API or belongs to
 * another list.
 */
export function decodeCursor<Schema extends z.ZodType>(text: string, schema: Schema): z.output<Schema> {
  const result = schema.safeParse(jsonOf(Buffer.from(text, 'base64url').toString('utf8')));
  if (result.success) return result.data;
  throw validationFailed([{ pointer: '/cursor', detail: 'must come from the "next" link of the same list' }]);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No schema accepts undefined.
    return undefined;
  }
}

const sequenceSchema = z.string().regex(/^\d{1,18}$/);

/** A cursor for a list ordered by sequence numbers. */
export function encodeSequence(sequence: bigint): string {
  return encodeCursor(sequence.toString());
}

/** As `decodeCursor`; null without a cursor. */
export function decodeSequence(text: string | undefined): bigint | null {
  return text === undefined ? null : BigInt(decodeCursor(text, sequenceSchema));
}
