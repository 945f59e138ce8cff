import { type HostId, type HostScope, isInScope, tagsOfScope } from '@plimsoll/model';
import { beforeTagsChange } from '../../core/change-terms.ts';
import { type Database, isUuid, preparedReads } from '../../core/database.ts';
import { lockRow } from '../../core/locks.ts';
import { inTransaction, statementsIn, type Transaction } from '../../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';
import { inScopeBySql, isSeen } from './host-scope.ts';
import { seenConflictSql } from './host-selection.ts';
import { insertHost, type NewHost } from './insert-host.ts';
import { judgeDue } from './judge-due.ts';
import { hostsById, listHosts, orderedIds, selectIds } from './list-hosts.ts';
import { retired } from './locked-hosts.ts';
import { type HostOverview, type ListedOverview, overviewColumns, overviewJoins } from './overview.ts';
import type { HostFilters, HostPageQuery, HostSort } from './query.ts';
import { readSharedAddresses } from './shared-addresses.ts';
import { suggestTags, type TagCount } from './suggest-tags.ts';
import { type HostUpdate, updateHost } from './update-host.ts';

/** Hosts per page when all are streamed. */
const streamedRows = 2_000;

const oneHost = `SELECT ${overviewColumns}, ${seenConflictSql('$2')} AS "machineIdConflictWith"
  FROM hosts h ${overviewJoins} WHERE h.id = $1 AND ${inScopeBySql('h.tags', '$2')}`;

/** Lists hosts, and adds, changes, approves and deletes them. HostLifeStore does things to many. */
export interface HostStore {
  /** Adds a host as approved. Its machine and system are unknown until its first snapshot. */
  create(host: NewHost, by: AuditActor): Promise<void>;
  /** A page of hosts in the given order, and the number of hosts that match. */
  list(query: HostPageQuery): Promise<{ readonly total: number; readonly hosts: readonly ListedOverview[] }>;
  /** Every host that matches now, in the given order, page by page; each page is as of the time it is read. */
  stream(
    scope: HostScope,
    filters: HostFilters,
    sort: HostSort,
  ): Promise<{
    readonly total: number;
    /** Bits of `gapBits` that any of them has. */
    readonly gaps: number;
    readonly pages: AsyncIterable<readonly ListedOverview[]>;
  }>;
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
export function createHostStore(database: Database): HostStore {
  const { pool, prisma } = database;
  const reads = preparedReads(database);
  const judged = async <T>(read: () => Promise<T>): Promise<T> => {
    await judgeDue(database);
    return read();
  };
  return {
    create: (host, by) => inTransaction(prisma, (tx) => insertHost(tx, host, by)),
    list: (query) => judged(() => listHosts(database, query)),
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
      const { ids, gaps } = await judged(() => orderedIds(database, { scope, filters, sort }));
      const pages = async function* () {
        for (let first = 0; first < ids.length; first += streamedRows)
          yield await judged(() => hostsById(database, scope, ids.slice(first, first + streamedRows)));
      };
      return { total: ids.length, gaps, pages: pages() };
    },
    async find(scope, id) {
      if (!isUuid(id)) return null;
      const { rows } = await judged(() => reads.query<HostOverview>(oneHost, [id, tagsOfScope(scope)]));
      return rows[0] ?? null;
    },
    async has(scope, id) {
      return isUuid(id) && isSeen(reads, scope, id);
    },
    async update(scope, id, changes, by) {
      return isUuid(id) && inTransaction(prisma, (tx) => updateHost(tx, scope, id, changes, by));
    },
    select: (scope, filters, most) => judged(() => selectIds(database, { scope, filters, most })),
    async approve(scope, id, by) {
      return isUuid(id) && inTransaction(prisma, (tx) => approve(tx, scope, id, by));
    },
    async delete(scope, id, by) {
      return isUuid(id) && inTransaction(prisma, (tx) => deleteHost(tx, scope, id, by));
    },
    tags: (scope, part, limit) => suggestTags(pool, { scope, part, limit }),
  };
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
