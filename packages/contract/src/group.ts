import { z } from 'zod';
import { count, id, text, timestamp } from './field-types.ts';
import { storedHostFilterSchema } from './host.ts';

function number(words: string) {
  return count.nullable().describe(`${words} Null: one of its filters no longer exists.`);
}

/** A saved selection of hosts. */
export const groupSchema = z
  .strictObject({
    id,
    name: z.string(),
    filter: z.record(z.string(), z.string()).describe('The filters of GET /hosts by name.'),
    shared: z
      .boolean()
      .describe(
        'Whether others than its owner see the group, readers limited to tags only if its filter has one of them; its hosts, each reader by its own tags.',
      ),
    owner: z.string().nullable().describe('The e-mail address of its owner; null if the user was deleted.'),
    is_own: z.boolean(),
    created_at: timestamp,
    hosts: number(
      'Hosts of the reader that it selects: the total of GET /hosts with its filters and, unless these ask for others, `approval_status=approved`.',
    ),
    pending_hosts: number('Hosts that it selects and that wait for approval; in no other number.'),
    critical_hosts: number('Of these, with a critical finding that has a fix: `finding_severity=critical`.'),
    known_exploited_hosts: number('Of these, with a known exploited finding: `known_exploited=true`.'),
    reboot_hosts: number('Of these, hosts to reboot: `reboot_state=needed`.'),
    stale_hosts: number(
      'Of these, hosts whose last report is old, and those that can no longer be reached: `gap=report_outdated`.',
    ),
    unreported_hosts: number(
      'Of these, hosts without a report: `gap=no_report`. Those that can no longer be reached are in stale_hosts, too.',
    ),
    findings_unknown_hosts: number(
      'Of these, hosts of which not all findings are known: critical_hosts and known_exploited_hosts are lower bounds.',
    ),
    reboot_unknown_hosts: number(
      'Of these, hosts of which it is not known whether to reboot: `reboot_state=unknown`.',
    ),
  })
  .meta({ id: 'Group' });

export type Group = z.output<typeof groupSchema>;

/** A new group. */
export const newGroupSchema = z.strictObject({
  name: text(1, 100),
  filter: storedHostFilterSchema,
  shared: z.boolean().default(false).describe('For operators and admins.'),
});

/** Changes of a group. */
export const groupChangesSchema = z.strictObject({
  name: text(1, 100).optional(),
  filter: storedHostFilterSchema.optional(),
  shared: z.boolean().optional(),
});
