import { severities } from '@plimsoll/model';
import { z } from 'zod';
import { count, queryTags, queryTime, timestamp } from './field-types.ts';

const hours = z.int().min(0).nullable();
const cohort = z.strictObject({ closed: count, of: count }).meta({ id: 'Cohort' });
const share = z.number().min(0).max(1).nullable();
const counted = severities.filter((severity) => severity !== 'none');

/** How long the exposures of one severity took. Hours are whole, rounded up. */
const severityTimesSchema = z
  .strictObject({
    closed: count.describe(
      'Exposures that a change on the host ended in the period: another version, a removed package, another kernel.',
    ),
    open: count.describe(
      'Exposures with a fix that were open at the end of the period, without waived ones and those of silent hosts.',
    ),
    open_without_fix: count.describe(
      'The same without a fix, as was known then: nothing could be installed.',
    ),
    open_waived: count.describe(
      'Open at the end of the period and waived then, with and without a fix: accepted, not patched. In no other number of open ones but `open_by_day`.',
    ),
    open_on_silent_hosts: count.describe(
      'Open at the end of the period by the last report of a silent host.',
    ),
    ended_otherwise: z
      .strictObject({
        advisory_published: count,
        advisory_changed: count,
        advisory_withdrawn: count,
        rules_changed: count,
        source_changed: count,
      })
      .describe(
        'Exposures that a change of what is known ended in the period. They are in no other number. Without those that go on by another record about the same CVEs: the time of these counts from the start of the first one.',
      ),
    median_hours: hours.describe('At most this long took half of the closed ones; null: none was closed.'),
    p90_hours: hours.describe('At most this long took nine in ten of the closed ones.'),
    within: z
      .strictObject({ '3': share, '7': share, '14': share, '30': share, '90': share })
      .describe(
        'By days: the share closed within that time, of the closed ones and of the open ones (with a fix) that are open for longer. null: there are none.',
      ),
    cohorts: z
      .strictObject({ '3': cohort, '7': cohort, '14': cohort, '30': cohort, '90': cohort })
      .describe(
        'By days: `closed` of `of` exposures that became fixable in the period (their fix was known and the host had the package) were closed within that time. The others were open longer, and neither waived then nor on silent hosts. Those whose days are not over now are in neither number.',
      ),
    stages: z
      .strictObject({ known: hours, offered: hours, installed: hours, running: hours })
      .describe(
        "Median hours of the closed ones of which both ends of the stage are known. known: from publication to the start, if the host had the package already. offered: from the start to the offer by the host's repositories. installed: from the later of these to the installation. running: from there until it ran.",
      ),
    open_by_day: z
      .array(count.nullable())
      .describe(
        'What was open at the end of each of `days`, with and without a fix, also on silent hosts as far as is known. Without what was open on a host when it was retired in the period. null: before `history_from`, not known.',
      ),
  })
  .meta({ id: 'SeverityTimes' });

/** How long exposures took in a period. */
export const timeToPatchSchema = z
  .strictObject({
    from: timestamp,
    to: timestamp.describe('Exclusive; not later than the time of the answer.'),
    history_from: timestamp
      .nullable()
      .describe(
        'Since when findings of these hosts are known here: a host of them had reported, and a feed had advisories for its release. Later than `from`: the period is known only in part. null: they are not known yet.',
      ),
    hosts: count.describe(
      'Approved hosts that existed before the end of the period, and hosts that were retired in it or later. Deleted hosts are in no number.',
    ),
    silent_hosts: count.describe(
      'Of these, hosts of which what they had at the end of the period was not confirmed in the period.',
    ),
    uncounted_hosts: count.describe(
      'Hosts with a newer report or changed advisories, or not counted yet, that are counted soon. Until then the numbers are as before, or without these hosts.',
    ),
    findings_unknown_hosts: count.describe(
      'Hosts of which not all exposures are known now, as in the summary of the fleet: for want of a feed, of a current one, or of a report. Few or no exposures there do not mean "patched".',
    ),
    days: z
      .array(z.iso.date())
      .describe('The days (UTC) of the period, for `open_by_day`; the last one ends with the period.'),
    all: severityTimesSchema.describe('All severities of `by_severity` together.'),
    by_severity: z
      .partialRecord(z.enum(counted), severityTimesSchema)
      .describe('The severity of an exposure is the one known last.'),
  })
  .meta({ id: 'TimeToPatch' });

export type TimeToPatchAnswer = z.output<typeof timeToPatchSchema>;

/** The period and the hosts. */
export const timeToPatchQuerySchema = z.strictObject({
  from: queryTime.optional().describe('Default: 90 days before `to`.'),
  to: queryTime.optional().describe('Default: now. At most 731 days after `from`.'),
  severity: z.enum(counted).optional(),
  tag: queryTags.optional().describe('Hosts with one of these tags now, each host once.'),
});
