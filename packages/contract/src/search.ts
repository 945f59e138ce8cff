import { approvalStatuses } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, text } from './field-types.ts';

const match = z
  .enum(['exact', 'prefix', 'part'])
  .describe('exact: a name or an id is what was asked for. prefix: it begins with it. part: it contains it.');

/** What a search finds, the best matches of each kind first. */
export const searchAnswerSchema = z
  .strictObject({
    hosts: z.array(
      z.strictObject({
        match,
        id,
        display_name: z.string(),
        hostname: z.string(),
        ip_address: z.string().nullable(),
        approval_status: z.enum(approvalStatuses),
      }),
    ),
    hosts_total: count.describe('All hosts that match, pending ones included.'),
    packages: z
      .array(z.strictObject({ match, name: z.string(), hosts: count }))
      .describe('Installed packages with the approved hosts that have them; counts can be minutes old.'),
    cves: z
      .array(
        z.strictObject({
          match,
          id: z.string(),
          known: z.boolean().describe('Whether a feed has anything about it.'),
        }),
      )
      .describe('By the beginning of the id. An id that is asked for is found although no feed has it.'),
    advisories: z
      .array(z.strictObject({ match, id: z.string(), title: z.string() }))
      .describe('By a part of the id of at least three characters.'),
  })
  .meta({ id: 'SearchAnswer' });

export type SearchAnswer = z.output<typeof searchAnswerSchema>;

/** What to search for. */
export const searchQuerySchema = z.strictObject({
  q: text(1, 200).describe(
    'A part of a name, hostname, address or id, or a whole machine id; case-insensitive.',
  ),
  limit: z.coerce.number().int().min(1).max(20).optional().describe('Of each kind. Default: 8.'),
});
