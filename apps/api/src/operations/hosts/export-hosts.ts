import { type Host, hostCountFields, type Operations } from '@plimsoll/contract';
import type { ListedOverview } from '@plimsoll/db';
import { csvAnswer } from '../../http/csv-answer.ts';
import type { ReadHandler } from '../read-operation.ts';
import { answersOf, hostAnswer } from './host-answer.ts';
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

/** POST /hosts/export */
export const exportSelectedHosts: ReadHandler<Operations['exportSelectedHosts']> = async (
  { body: { hosts, filter, format }, caller },
  { stores },
) => {
  const filters = filter === undefined ? { ids: hosts ?? [] } : hostFiltersOf(filter);
  const { total, pages } = await stores.hosts.stream(caller.scope, filters, hostSortOf({}));
  const headers = { 'X-Total-Count': String(total) };
  if (format === 'csv') {
    const answer = await csvAnswer({ fileName: 'plimsoll-hosts.csv', columns, rows: rowsOf(pages) });
    return { ...answer, headers: { ...headers, ...answer.headers } };
  }
  const disposition = { 'Content-Disposition': 'attachment; filename="plimsoll-hosts.json"' };
  return { kind: 'rows', status: 200, headers: { ...headers, ...disposition }, rows: answersOf(pages) };
};

/** GET /hosts/ids */
export const listHostIds: ReadHandler<Operations['listHostIds']> = async ({ query, caller }, { stores }) => {
  const { ids } = await stores.hosts.select(caller.scope, hostFiltersOf(query), Number.POSITIVE_INFINITY);
  return { kind: 'json', status: 200, body: [...ids] };
};
