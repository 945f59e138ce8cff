import { errorCodes } from '@plimsoll/model';
import { z } from 'zod';

/** The content type of every error (RFC 9457). */
export const problemContentType = 'application/problem+json';

/** An error response (RFC 9457): clients branch on `code`; the rest is for people. */
export const problemSchema = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int().min(400).max(599),
    detail: z.string(),
    code: z.enum(errorCodes),
    request_id: z.string(),
    errors: z.array(
      z.strictObject({
        pointer: z
          .string()
          .describe('RFC 6901 pointer into the body, or to the query parameter of that name.'),
        detail: z.string(),
      }),
    ),
  })
  .meta({ id: 'Problem' });

export type Problem = z.output<typeof problemSchema>;
