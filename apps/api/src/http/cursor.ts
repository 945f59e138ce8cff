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

/** The place of a row in a list ordered by sequence numbers. */
export const sequencePlace = z
  .string()
  .regex(/^\d{1,18}$/)
  .transform(BigInt);
