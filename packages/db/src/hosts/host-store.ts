import { type HostId, type HostScope, isInScope, tagsOfScope } from '@plimsoll/model';
import { type AuditActor, recordAuditEvent } from '../audit/audit-events.ts';
import { lockRow } from '../connection/locks.ts';
import { inTransaction, statementsIn, type Transaction } from '../connection/transaction.ts';
import { type Database, isUuid, preparedReads } from '../database.ts';
import { beforeTagsChange } from '../terms/change-terms.ts';
import type { HostColumns } from './host-columns.ts';
import { createHostMemory, type HostMemory } from './host-memory.ts';
import { orderOf } from './host-orders.ts';
import { inScopeBySql, isSeen } from './host-scope.ts';
import { insertHost, type NewHost } from './insert-host.ts';
import { readRetiredHosts } from './load-hosts.ts';
import { retired } from './locked-hosts.ts';
import { type HostOverview, type ListedOverview, overviewColumns } from './overview.ts';
import { cursorOf, type HostFilters, type HostPageQuery, type HostSort } from './query.ts';
import { overviewOf, pageOfHosts, selectHosts } from './select-hosts.ts';
import type { SelectedHosts } from './selected-hosts.ts';
import { SelectionMemory } from './selection-memory.ts';
import { readSharedAddresses } from './shared-addresses.ts';
import { suggestTags, type TagCount } from './suggest-tags.ts';
import { type HostUpdate, updateHost } from './update-host.ts';

/** Hosts per page when all are streamed. */
const streamedRows = 2_000;

/** Lists hosts, and adds, changes, approves and deletes them. HostLifeStore does things to many. */
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
  /** Addresses that several hosts in service, of any scope, reported or were entered with. */
  sharedAddresses(): Promise<ReadonlySet<string>>;
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
   * Idempotent. The host's allowance becomes its own, also if its registration token had approved it. Throws
   * `host_retired`.
   */
  approve(scope: HostScope, id: string, by: AuditActor): Promise<boolean>;
  /** Deletes a host with all of its rows. Its tokens stop working and running work for it is dropped. */
  delete(scope: HostScope, id: string, by: AuditActor): Promise<boolean>;
  /** Tags that contain a text, ignoring case: those that begin with it first, then by number of hosts in service. */
  tags(scope: HostScope, part: string, limit: number): Promise<readonly TagCount[]>;
}

/** The hosts of one database. */
export function createHostStore(
  database: Database,
  memory: HostMemory = createHostMemory(database),
): HostStore {
  const { pool, prisma } = database;
  const reads = preparedReads(database);
  const columnsOf = ({ retired }: HostFilters): Promise<HostColumns> =>
    retired === true ? readRetiredHosts(pool) : memory.current();
  const selections = new SelectionMemory();
  const selectIn = (columns: HostColumns, scope: HostScope, filters: HostFilters) =>
    filters.retired === true
      ? selectHosts(columns, scope, filters)
      : selections.select(columns, scope, filters);
  const list: HostStore['list'] = async (query) => {
    const columns = await columnsOf(query.filters);
    return pageOf(columns, selectIn(columns, query.scope, query.filters), query);
  };
  return {
    create: (host, by) => inTransaction(prisma, (tx) => insertHost(tx, host, by)),
    list,
    async readAhead() {
      const columns = await memory.review();
      // The second one also orders the ids, on which all other orders rest.
      for (const column of ['displayName', 'overallAction'] as const) orderOf(columns, column);
    },
    sharedAddresses: () => readSharedAddresses(pool),
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
      if (other === null || (await isSeen(reads, scope, other))) return host;
      return { ...host, machineIdConflictWith: null };
    },
    async has(scope, id) {
      return isUuid(id) && isSeen(reads, scope, id);
    },
    async update(scope, id, changes, by) {
      return isUuid(id) && inTransaction(prisma, (tx) => updateHost(tx, scope, id, changes, by));
    },
    async select(scope, filters, most) {
      const columns = await columnsOf(filters);
      const selected = selectIn(columns, scope, filters);
      const sort = { column: 'displayName', descending: false } as const;
      const positions = pageOfHosts(columns, selected, { sort, limit: most, after: null, offset: 0 });
      return { total: selected.total, ids: positions.flatMap((position) => columns.ids[position] ?? []) };
    },
    async approve(scope, id, by) {
      return isUuid(id) && inTransaction(prisma, (tx) => approve(tx, scope, id, by));
    },
    async delete(scope, id, by) {
      return isUuid(id) && inTransaction(prisma, (tx) => deleteHost(tx, scope, id, by));
    },
    tags: async (scope, part, limit) =>
      suggestTags((await memory.current()).tagSets, scope, part).slice(0, limit),
  };
}

function pageOf(
  columns: HostColumns,
  selected: SelectedHosts,
  { scope, sort, limit, after, offset = 0 }: HostPageQuery,
): Awaited<ReturnType<HostStore['list']>> {
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

async function approve(tx: Transaction, scope: HostScope, id: string, by: AuditActor): Promise<boolean> {
  // Rules give approved hosts tags by name.
  await beforeTagsChange(statementsIn(tx));
  await lockRow(tx, 'hosts', id, 'noKeyUpdate');
  const host = await tx.host.findUnique({
    where: { id },
    select: { approvalStatus: true, sharesAllowanceUntil: true, tags: true },
  });
  if (host === null || !isInScope(scope, host.tags)) return false;
  if (host.approvalStatus === 'retired') throw retired();
  if (host.approvalStatus === 'approved' && host.sharesAllowanceUntil === null) return true;
  const data = { approvalStatus: 'approved', sharesAllowanceUntil: null };
  await tx.host.updateMany({ where: { id }, data });
  const target = { kind: 'host', id, name: null } as const;
  await recordAuditEvent(tx, { action: 'host.approved', actor: by, target, details: {} });
  return true;
}

async function deleteHost(tx: Transaction, scope: HostScope, id: string, by: AuditActor): Promise<boolean> {
  await lockRow(tx, 'hosts', id, 'update');
  const host = await tx.host.findUnique({
    where: { id },
    select: { displayName: true, hostname: true, onboardingMode: true, tags: true },
  });
  if (host === null || !isInScope(scope, host.tags)) return false;
  await tx.host.deleteMany({ where: { id } });
  await recordAuditEvent(tx, {
    action: 'host.deleted',
    actor: by,
    target: { kind: 'host', id, name: host.displayName },
    details: { hostname: host.hostname, onboarding_mode: host.onboardingMode },
  });
  return true;
}
