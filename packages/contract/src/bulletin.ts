import { feedFreshnesses, gaps, severities } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, text, timestamp } from './field-types.ts';
import { localTime, timeZone } from './local-time.ts';

const schedule = {
  every: z.enum(['day', 'week', 'month']),
  weekday: z.int().min(1).max(7).describe('Of weekly ones: 1 is Monday.'),
  day: z.int().min(1).max(31).describe('Of monthly ones; in shorter months the last day.'),
  at: localTime,
  time_zone: timeZone,
};

/** The state of some hosts, sent by e-mail on a schedule. */
export const bulletinSchema = z
  .strictObject({
    id,
    name: z.string(),
    channel_id: id.describe('The e-mail channel with the recipients.'),
    group_id: id.nullable(),
    tag: z.string().nullable(),
    ...schedule,
    at: z.string(),
    time_zone: z.string(),
    paused: z.boolean(),
    next_at: timestamp.nullable().describe('Null: the notify-worker has not computed it yet.'),
    last_at: timestamp.nullable().describe('When one was delivered last.'),
    created_by: z.string(),
    created_at: timestamp,
  })
  .meta({ id: 'Bulletin' });

export type Bulletin = z.output<typeof bulletinSchema>;

const selection = {
  group_id: id.nullable().describe('The hosts of a group.'),
  tag: text(1, 100).nullable().describe('The hosts with a tag.'),
};
const oneSelection = ({ group_id: group, tag }: { group_id?: unknown; tag?: unknown }) =>
  group == null || tag == null;
const both = { error: 'must not be given together with group_id', path: ['tag'] };

/** A request for a new bulletin: about a group, a tag, or all hosts that the caller may see. */
export const newBulletinSchema = z
  .strictObject({
    name: text(1, 100),
    channel_id: id,
    group_id: selection.group_id.default(null),
    tag: selection.tag.default(null),
    ...schedule,
    weekday: schedule.weekday.default(1),
    day: schedule.day.default(1),
  })
  .refine(oneSelection, both);

/** A change of a bulletin; omitted fields stay. Its channel cannot be changed. */
export const bulletinChangesSchema = z
  .strictObject({
    name: text(1, 100).optional(),
    group_id: selection.group_id.optional(),
    tag: selection.tag.optional(),
    every: schedule.every.optional(),
    weekday: schedule.weekday.optional(),
    day: schedule.day.optional(),
    at: schedule.at.optional(),
    time_zone: schedule.time_zone.optional(),
    paused: z.boolean().optional(),
  })
  .refine(oneSelection, both);

const counted = z.enum([...severities, 'unfixed']).exclude(['none']);

/** What a bulletin says. */
export const bulletinContentsSchema = z
  .strictObject({
    name: z.string(),
    about: z.strictObject({ kind: z.enum(['all', 'group', 'tag']), name: z.string() }),
    limited_to: z
      .array(z.string())
      .nullable()
      .describe('The tags to which its maker, its channel or the reader is limited. Null: to none.'),
    as_of: timestamp,
    hosts: count,
    unknown_hosts: count.describe('Hosts whose findings are a lower bound.'),
    uncounted_hosts: count.describe('Hosts whose report is not counted yet.'),
    silent_hosts: count,
    gaps: z.array(z.strictObject({ gap: z.enum(gaps), hosts: count })),
    open: z.array(z.strictObject({ severity: counted, findings: count, hosts: count })),
    known_exploited: z.strictObject({ findings: count, hosts: count }),
    exploited_data: z
      .strictObject({ freshness: z.enum(feedFreshnesses), updated_at: timestamp.nullable() })
      .nullable()
      .default(null)
      .describe(
        'The data of CISA KEV: without it, or after it, nothing counts as known to be exploited. Null only in reports that earlier versions stored.',
      ),
    has_due_policy: z.boolean(),
    due_exploitation_unknown: z
      .boolean()
      .default(false)
      .describe(
        'As `exploitation_unknown` of GET /policies/due-dates. False in reports of earlier versions.',
      ),
    due_forensics: z
      .boolean()
      .default(false)
      .describe(
        'Whether a rule of the due dates asks for forensics: plans say on which hosts evidence is to be taken first. False in reports of earlier versions.',
      ),
    overdue: z.strictObject({ findings: count, hosts: count }),
    first: z
      .array(
        z.strictObject({
          key: z.string(),
          title: z.string(),
          severity: z.enum(severities),
          known_exploited: z.boolean(),
          hosts: count,
          installable_hosts: count,
          overdue_hosts: count,
          due_at: timestamp.nullable(),
        }),
      )
      .describe('What to do first, by advisory.'),
    advisories: count.describe('All advisories with open findings.'),
    changes: z
      .strictObject({
        since: timestamp,
        hosts: count,
        overdue: count,
        findings: z.record(counted, count),
        added: count,
        added_first: z.array(z.strictObject({ key: z.string(), title: z.string(), hosts: count })),
        gone: count.nullable().describe('Null: there were too many to compare.'),
        gone_first: z.array(z.string()),
      })
      .nullable()
      .describe('Since the last one that was delivered; null: there is none about the same hosts.'),
  })
  .meta({ id: 'BulletinContents' });

export type BulletinContents = z.output<typeof bulletinContentsSchema>;
