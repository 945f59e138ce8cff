import { type Host, hostCountFields, type Operations } from '@plimsoll/contract';
import type { ListedOverview } from '@plimsoll/db';
import { csvAnswer } from '../../http/csv-answer.ts';
import type { ReadHandler } from '../read-operation.ts';
import { hostAnswer } from './host-answer.ts';
import { hostFiltersOf, hostSortOf } from './host-selection.ts';

const columns = [
  'id',
  'display_name',
  'hostname',
  'ip_address',
  'tags',
  'onboarding_mode',
  'approval_status',
  'status',
  'overall_action',
  'gaps',
  'os_name',
  'os_major',
  'os_version',
  'os_family',
  'architecture',
  'exposure',
  ...hostCountFields,
  'due_at',
  'overdue_count',
  'updates_state',
  'repositories_state',
  'needs_reboot',
  'reboot_state',
  'needs_restart',
  'restart_state',
  'coverage',
  'last_seen_at',
  'snapshot_collected_at',
  'feed_updated_at',
  'created_at',
  'retired_at',
] as const satisfies readonly (keyof Host)[];

/** GET /hosts.csv */
export const exportHosts: ReadHandler<Operations['exportHosts']> = async ({ query, caller }, { stores }) => {
  const { pages } = await stores.hosts.stream(caller.scope, hostFiltersOf(query), hostSortOf(query));
  return csvAnswer({
    fileName: 'plimsoll-hosts.csv',
    columns,
    rows: rowsOf(pages),
  });
};

async function* rowsOf(pages: AsyncIterable<readonly ListedOverview[]>) {
  for await (const page of pages) {
    yield page.map((overview) => {
      const host = hostAnswer(overview);
      return columns.map((column) => host[column]);
    });
  }
}
