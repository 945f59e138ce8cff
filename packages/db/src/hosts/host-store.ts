import { type HostId, type HostScope, tagsOfScope } from '@plimsoll/model';
import type { AuditActor } from '../audit/audit-events.ts';
import { preparedReads } from '../connection/prepared-reads.ts';
import { inTransaction } from '../connection/transaction.ts';
import { type Database, isUuid } from '../database.ts';
import { actOnHosts, type HostAction, type HostActionResult } from './host-actions.ts';
import type { HostColumns } from './host-columns.ts';
import { createHostMemory, type HostMemory } from './host-memory.ts';
import { inScopeBySql, isSeen } from './host-scope.ts';
import { insertHost, type NewHost } from './insert-host.ts';
import { readRetiredHosts } from './load-hosts.ts';
import { type HostOverview, type ListedOverview, overviewColumns } from './overview.ts';
import { cursorOf, type HostFilters, type HostPageQuery, type HostSort } from './query.ts';
import { orderOf, overviewOf, pageOfHosts, selectHosts } from './select-hosts.ts';
import { type HostUpdate, updateHost } from './update-host.ts';

/** Hosts per page when all are streamed. */
const streamedRows = 2_000;

/** Lists hosts, adds and changes them, and does actions to many. */
export interface HostStore {
  /** Adds a host as approved. Its machine and system are unknown until its first snapshot. */
  create(host: NewHost, by: AuditActor): Promise<void>;
  /** A page of hosts in the given order, and the number of hosts that match. See HostMemory for how new they are. */
  list(query: HostPageQuery): Promise<{ readonly total: number; readonly hosts: readonly ListedOverview[] }>;
  /** Reads what changed into memory, also what was not notified, so that the next call does not wait for it. */
  readAhead(): Promise<void>;
  /** Every host that matches, in the given order, page by page; each page is as of the time it is read. */
  stream(
    scope: HostScope,
    filters: HostFilters,
    sort: HostSort,
  ): Promise<{ readonly total: number; readonly pages: AsyncIterable<readonly ListedOverview[]> }>;
  /** Null if the host does not exist or is not in the scope. */
  find(scope: HostScope, id: string): Promise<HostOverview | null>;
  /** Whether a host exists and is in the scope. */
  has(scope: HostScope, id: string): Promise<boolean>;
  /** The number of distinct package versions in the host's newest matched snapshot; null without a snapshot or host. */
  packageCount(id: string): Promise<number | null>;
  /**
   * False if the host does not exist or is not in the scope, as in the methods below. Throws `validation_failed` for tags
   * that would take the host out of the scope.
   */
  update(scope: HostScope, id: string, changes: HostUpdate, by: AuditActor): Promise<boolean>;
  /** The ids of at most `most` hosts that match, by display name, and the number of all that match. */
  select(
    scope: HostScope,
    filters: HostFilters,
    most: number,
  ): Promise<{ readonly total: number; readonly ids: readonly HostId[] }>;
  /**
   * As `act` with one host. The host's allowance becomes its own, also if its registration token had approved it. Throws
   * `host_retired`.
   */
  approve(scope: HostScope, id: string, by: AuditActor): Promise<boolean>;
  /** Deletes a host with all of its rows. Its tokens stop working and running work for it is dropped. */
  delete(scope: HostScope, id: string, by: AuditActor): Promise<boolean>;
  /** Does an action to hosts, in one transaction; see actOnHosts. */
  act(
    scope: HostScope,
    ids: readonly string[],
    action: HostAction,
    by: AuditActor,
  ): Promise<readonly HostActionResult[]>;
}

/** The hosts of one database. */
export function createHostStore(
  database: Database,
  memory: HostMemory = createHostMemory(database),
): HostStore {
  const { pool, prisma } = database;
  const reads = preparedReads(database);
  const list: HostStore['list'] = async (query) => {
    const isRetired = query.filters.retired === true;
    return pageOf(await (isRetired ? readRetiredHosts(pool) : memory.current()), query);
  };
  const act: HostStore['act'] = (scope, ids, action, by) =>
    inTransaction(prisma, (tx) => actOnHosts(tx, scope, { ids, action, by }));
  return {
    create: (host, by) => inTransaction(prisma, (tx) => insertHost(tx, host, by)),
    list,
    async readAhead() {
      orderOf(await memory.review(), 'displayName');
    },
    async packageCount(id) {
      if (!isUuid(id)) return null;
      const state = await prisma.hostState.findUnique({
        where: { hostId: id },
        select: { set: { select: { n: true } } },
      });
      return state?.set?.n ?? null;
    },
    async stream(scope, filters, sort) {
      const first = await list({ scope, filters, sort, limit: streamedRows, after: null });
      return { total: first.total, pages: pagesFrom(first.hosts, list, { scope, filters, sort }) };
    },
    async find(scope, id) {
      if (!isUuid(id)) return null;
      const { rows } = await reads.query<HostOverview>(
        `SELECT ${overviewColumns} FROM host_overview WHERE id = $1 AND ${inScopeBySql('tags', '$2')}`,
        [id, tagsOfScope(scope)],
      );
      const [host] = rows;
      if (host === undefined) return null;
      const other = host.machineIdConflictWith;
      if (other === null || (await isSeen(pool, scope, other))) return host;
      return { ...host, machineIdConflictWith: null };
    },
    async has(scope, id) {
      return isUuid(id) && isSeen(pool, scope, id);
    },
    async update(scope, id, changes, by) {
      return isUuid(id) && inTransaction(prisma, (tx) => updateHost(tx, scope, id, changes, by));
    },
    async select(scope, filters, most) {
      const page = {
        scope,
        filters,
        sort: { column: 'displayName', descending: false },
        limit: most,
      } as const;
      const { total, hosts } = await list({ ...page, after: null });
      return { total, ids: hosts.map(({ id }) => id) };
    },
    approve: (scope, id, by) => actOnOne(act, scope, id, { kind: 'approve' }, by),
    delete: (scope, id, by) => actOnOne(act, scope, id, { kind: 'delete' }, by),
    act,
  };
}

function pageOf(
  columns: HostColumns,
  { scope, filters, sort, limit, after, offset = 0 }: HostPageQuery,
): Awaited<ReturnType<HostStore['list']>> {
  const selected = selectHosts(columns, scope, filters);
  const positions = pageOfHosts(columns, selected, { sort, limit, after, offset });
  const hosts = positions.map((position) => overviewOf(columns, scope, position));
  return { total: selected.total, hosts };
}

async function* pagesFrom(
  first: readonly ListedOverview[],
  list: HostStore['list'],
  selection: Pick<HostPageQuery, 'scope' | 'filters' | 'sort'>,
): AsyncIterable<readonly ListedOverview[]> {
  let page = first;
  for (;;) {
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < streamedRows) return;
    const after = cursorOf(last, selection.sort);
    page = (await list({ ...selection, limit: streamedRows, after })).hosts;
  }
}

/** False if the host does not exist or is not in the scope. Throws why the action is refused otherwise. */
async function actOnOne(
  act: HostStore['act'],
  scope: HostScope,
  id: string,
  action: HostAction,
  by: AuditActor,
): Promise<boolean> {
  for (const result of await act(scope, [id], action, by)) {
    if (result.kind !== 'refused') return true;
    if (result.error.code !== 'not_found') throw result.error;
  }
  return false;
}
