import { fixStates, severities } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, paging, queryFlag, queryTime, text, timestamp } from './field-types.ts';

/** What the rows of the fleet's findings are about; `package` is a source package. */
export const findingGroupings = ['advisory', 'cve', 'package', 'host'] as const;

/** One of `findingGroupings`. */
export type FindingGrouping = (typeof findingGroupings)[number];

/** Findings of the fleet about one advisory, CVE, source package or host. */
export const findingSchema = z
  .strictObject({
    key: z.string().describe('The id of the advisory, CVE or host, or the name of the source package.'),
    title: z.string().describe('Of a host its display name; of a package its name; may be empty.'),
    severity: z
      .enum(severities)
      .describe('The worst of its advisories for the packages that hosts have; never `none`.'),
    known_exploited: z.boolean(),
    epss: z.number().min(0).max(1).nullable().describe('The highest of its CVEs.'),
    due_at: timestamp
      .nullable()
      .describe(
        'The earliest due date, in minutes rounded up, of what the row is about on the hosts that the reader sees: of the advisory, of the CVE, or of any advisory for the source package or on the host. With `cve` or under a CVE only that CVE counts: its advisory can be due earlier because of another one. Filters select what counts. Null if nothing is due at a known time.',
      ),
    overdue_hosts: count.describe('Hosts on which the same date has passed.'),
    hosts: count.describe('Hosts with at least one of its findings; each counts once.'),
    hosts_by_fix_state: z
      .partialRecord(z.enum(fixStates), count)
      .describe(
        'Each host once, at the first state of the order of `fix_state`. States without hosts are absent.',
      ),
    waived_hosts: count.describe(
      'Of `hosts`, those on which all of it is waived: 0 without `include_waived`.',
    ),
    first_seen_at: timestamp.describe(
      'No finding of the row is older: the advisory was not known before, or none of the hosts. A host may have got the package later.',
    ),
  })
  .meta({ id: 'FleetFinding' });

export type FleetFinding = z.output<typeof findingSchema>;

const findingFields = {
  group_by: z.enum(findingGroupings).optional().describe('Default: `advisory`. `package`: source packages.'),
  severity: z
    .enum(['critical', 'important', 'moderate', 'low', 'unrated'])
    .optional()
    .describe('Advisories of at least this severity; the others add nothing to a row.'),
  known_exploited: queryFlag.optional(),
  fix_state: z.enum(fixStates).optional().describe('Hosts that are in this state in their row.'),
  overdue: z.literal('true').optional().describe('Hosts on which it is past its date.'),
  tag: text(1, 100).optional().describe('Hosts with this tag.'),
  q: text(1, 200)
    .optional()
    .describe(
      "Part of an advisory's id or title, a CVE or a source package; of rows of hosts also of their names. Ignores case.",
    ),
  first_seen_before: queryTime.optional(),
  include_waived: queryFlag.optional(),
  only_waived: z.literal('true').optional().describe('Only what is waived.'),
  advisory: text(1, 200).optional().describe('Exactly this advisory; likewise below.'),
  cve: text(1, 200).optional(),
  package: text(1, 300).optional(),
  host: id.optional(),
};

/** Query of the fleet's findings. */
export const findingQuerySchema = z.strictObject({ ...findingFields, ...paging });

/** Query of the export of the fleet's findings. */
export const findingExportQuerySchema = z.strictObject(findingFields);
