import { errorCodes, hostExposures } from '@plimsoll/model';
import { z } from 'zod';
import { count, hostTags, id } from './field-types.ts';
import { hostFilterSchema } from './host.ts';

/** The most hosts of one action. */
export const mostActedHosts = 1_000;

/** What can be done to many hosts. */
export const hostActions = [
  'approve',
  'add_tags',
  'remove_tags',
  'set_exposure',
  'pause_pulls',
  'resume_pulls',
  'pull_now',
  'retire',
  'reinstate',
  'delete',
] as const;

/** One of `hostActions`. */
export type HostActionName = (typeof hostActions)[number];

/** An action on hosts. */
export const hostActionSchema = z
  .strictObject({
    action: z
      .enum(hostActions)
      .describe(
        '`retire`: ends tokens and pulls and leaves every total and list; history stays. `reinstate`: takes it back, approved; an agent needs a new registration token for its host.',
      ),
    hosts: z.array(id).min(1).max(mostActedHosts).optional().describe('Ids. Either these or `filter`.'),
    filter: hostFilterSchema.optional().describe('Every host that GET /hosts lists for these filters.'),
    expected: count
      .optional()
      .describe('The number of hosts that `filter` is expected to select; another number is 409 `conflict`.'),
    tags: hostTags.optional().describe('For `add_tags` and `remove_tags`: at least one.'),
    exposure: z
      .enum(hostExposures)
      .nullable()
      .optional()
      .describe('For `set_exposure`; null: not set by hand.'),
  })
  .superRefine(({ action, hosts, filter, tags = [], expected, exposure }, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if ((hosts === undefined) === (filter === undefined)) fault('hosts', 'give either hosts or filter');
    if (expected !== undefined && filter === undefined) fault('expected', 'only together with filter');
    const takesTags = action === 'add_tags' || action === 'remove_tags';
    if (takesTags && tags.length === 0) fault('tags', 'must name at least one tag');
    if (!takesTags && tags.length > 0) fault('tags', `not with the action ${action}`);
    const takesExposure = action === 'set_exposure';
    if (takesExposure && exposure === undefined) fault('exposure', 'is required');
    if (!takesExposure && exposure !== undefined) fault('exposure', `not with the action ${action}`);
  });

/** Hosts to export. */
export const hostExportRequestSchema = z
  .strictObject({
    hosts: z.array(id).min(1).max(mostActedHosts).optional().describe('Ids. Either these or `filter`.'),
    filter: hostFilterSchema.optional().describe('Every host that GET /hosts lists for these filters.'),
    format: z.enum(['csv', 'json']).default('csv'),
  })
  .refine(({ hosts, filter }) => (hosts === undefined) !== (filter === undefined), {
    path: ['hosts'],
    error: 'give either hosts or filter',
  });

/** What became of the hosts of an action. */
export const hostActionsAnswerSchema = z
  .strictObject({
    done: count,
    unchanged: count.describe('Hosts that were as wanted before.'),
    refused: count,
    hosts: z.array(
      z.strictObject({
        host_id: id,
        display_name: z.string().nullable().describe('Null: no host has this id.'),
        outcome: z.enum(['done', 'unchanged', 'refused']),
        code: z.enum(errorCodes).nullable().describe('Why it was refused.'),
        detail: z.string().nullable(),
        pull_job_id: id.nullable().describe('The pull of `pull_now`: a new one, or the open one.'),
      }),
    ),
  })
  .meta({ id: 'HostActionsAnswer' });

export type HostActionsAnswer = z.output<typeof hostActionsAnswerSchema>;
