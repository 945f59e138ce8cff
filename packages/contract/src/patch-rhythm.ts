import { patchRhythmStates } from '@plimsoll/model';
import { z } from 'zod';
import { count, timestamp } from './field-types.ts';

/** How often a host installs updates, learned from its reports of the year before its last updates. */
export const patchRhythmSchema = z
  .strictObject({
    state: z
      .enum(patchRhythmStates)
      .describe(
        'stopped: no update was installed for twice the median interval, for longer than the longest interval, and for a week, although updates wait or are not known. nothing_to_install: the same, but no update waits.',
      ),
    reason: z
      .enum(['not_enough_history', 'no_recent_report'])
      .nullable()
      .describe('Why the state is unknown. not_enough_history: fewer than five intervals between rounds.'),
    rounds: count.describe(
      'Rounds of updates: days on which packages changed version; days in a row are one round.',
    ),
    last_round_at: timestamp.nullable().describe('The last day (UTC) with such a change.'),
    median_days: z.number().nullable(),
    longest_days: z.number().nullable(),
    overdue_at: timestamp.nullable(),
  })
  .meta({ id: 'PatchRhythm' });

export type PatchRhythm = z.output<typeof patchRhythmSchema>;
