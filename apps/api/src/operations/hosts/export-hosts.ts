import { asksForExploitation } from '@plimsoll/advisories';
import { type Host, hostCountFields } from '@plimsoll/contract';
import type { DueReasons, ListedOverview } from '@plimsoll/db';
import { csvAnswer } from '../../http/csv-answer.ts';
import type { ApiStores } from '../../stores.ts';
import type { ReadHandler } from '../read-operation.ts';
import { answersOf, hostAnswer, reasonsOf } from './host-answer.ts';
import { hostCell } from './host-cell.ts';
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
  'overall_known',
  'unknown_fields',
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
  'repository_error',
  'needs_reboot',
  'reboot_state',
  'needs_restart',
  'restart_state',
  'coverage',
  'last_seen_at',
  'snapshot_collected_at',
  'reported_at',
  'stale_after_seconds',
  'feed_updated_at',
  'created_at',
  'retired_at',
] as const satisfies readonly (keyof Host)[];
const reasonColumns = ['reboot_reasons', 'services_to_restart'];
/** Most services of a host in a cell: programs for spreadsheets cut long cells. */
const mostServices = 200;

/** GET /hosts.csv */
export const exportHosts: ReadHandler<'exportHosts'> = async ({ query, caller }, { stores }) => {
  return tableOf(stores, await stores.hosts.stream(caller.scope, hostFiltersOf(query), hostSortOf(query)));
};

/**
 * The table of hosts; named incomplete if a number is not known of any of them, or if due dates may be too late: a number of
 * overdue findings does not say so.
 */
async function tableOf(
  stores: Pick<ApiStores, 'assessments' | 'cves' | 'policies'>,
  { gaps, pages }: { readonly gaps: number; readonly pages: AsyncIterable<readonly ListedOverview[]> },
) {
  const [kev, { policy }] = await Promise.all([stores.cves.kevFreshness(), stores.policies.duePolicy()]);
  const of = { isKevKnown: kev !== 'never_synced', isDueByKev: asksForExploitation(policy) };
  const isIncomplete = gaps !== 0 || (await stores.cves.isDueExploitationUnknown(policy));
  return csvAnswer({
    fileName: `plimsoll-hosts${isIncomplete ? '-incomplete' : ''}.csv`,
    columns: [...columns, ...reasonColumns],
    rows: rowsOf(stores, pages, of),
  });
}

async function* rowsOf(
  stores: Pick<ApiStores, 'assessments'>,
  pages: AsyncIterable<readonly ListedOverview[]>,
  of: Parameters<typeof hostCell>[2],
) {
  for await (const page of pages) {
    const reasons = await reasonsOf(stores, page);
    yield page.map((overview) => {
      const host = hostAnswer(overview);
      return [
        ...columns.map((column) => hostCell(host, column, of)),
        ...reasonCells(reasons.get(overview.id)),
      ];
    });
  }
}

/** The reasons with their details, and the names of the services. */
function reasonCells(reasons: DueReasons | undefined): readonly string[] {
  const { rebootReasons = [], servicesToRestart = [] } = reasons ?? {};
  const names = servicesToRestart.slice(0, mostServices).map(({ name }) => name);
  const more = servicesToRestart.length - names.length;
  return [
    rebootReasons.map(({ code, detail }) => (detail === '' ? code : `${code}: ${detail}`)).join('; '),
    [...names, ...(more > 0 ? [`${more} more`] : [])].join(', '),
  ];
}

/** POST /hosts/export */
export const exportSelectedHosts: ReadHandler<'exportSelectedHosts'> = async (
  { body: { hosts, filter, format }, caller },
  { stores },
) => {
  const filters = filter === undefined ? { ids: hosts ?? [] } : hostFiltersOf(filter);
  const { total, ...selected } = await stores.hosts.stream(caller.scope, filters, hostSortOf({}));
  const headers = { 'X-Total-Count': String(total) };
  if (format === 'csv') {
    const answer = await tableOf(stores, selected);
    return { ...answer, headers: { ...headers, ...answer.headers } };
  }
  const disposition = { 'Content-Disposition': 'attachment; filename="plimsoll-hosts.json"' };
  return {
    kind: 'rows',
    status: 200,
    headers: { ...headers, ...disposition },
    rows: answersOf(selected.pages),
  };
};

/** GET /hosts/ids */
export const listHostIds: ReadHandler<'listHostIds'> = async ({ query, caller }, { stores }) => {
  const { ids } = await stores.hosts.select(caller.scope, hostFiltersOf(query), Number.POSITIVE_INFINITY);
  return { kind: 'json', status: 200, body: [...ids] };
};
