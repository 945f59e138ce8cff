import { type AuditActor, recordAuditEvent } from '../audit/audit-events.ts';
import { selectRows } from '../connection/conditions.ts';
import { lockRow } from '../connection/locks.ts';
import { inTransaction, type Transaction } from '../connection/transaction.ts';
import { type Database, isUuid } from '../database.ts';
import { insertHost, type NewHost } from './insert-host.ts';
import { type HostOverview, overviewColumns } from './overview.ts';
import {
  countHosts,
  cursorOf,
  type HostCursor,
  type HostFilters,
  type HostPageQuery,
  type HostSort,
  selectHosts,
} from './query.ts';
import { type HostUpdate, updateHost } from './update-host.ts';

/** Hosts per query when all are streamed. Most orders sort all hosts for each query. */
const streamedRows = 5_000;

/** Lists hosts, and adds, changes, approves and deletes them. */
export interface HostStore {
  /** Adds a host as approved. Its machine and system are unknown until its first snapshot. */
  create(host: NewHost, by: AuditActor): Promise<void>;
  /** A page of hosts in the given order. */
  list(query: HostPageQuery): Promise<readonly HostOverview[]>;
  count(filters: HostFilters): Promise<number>;
  /** Every host in the given order, page by page; each page is as of the time it is read. */
  stream(filters: HostFilters, sort: HostSort): AsyncIterable<readonly HostOverview[]>;
  find(id: string): Promise<HostOverview | null>;
  /** The number of distinct package versions in the host's newest matched snapshot; null without a snapshot or host. */
  packageCount(id: string): Promise<number | null>;
  /** False if the host does not exist, as in the methods below. */
  update(id: string, changes: HostUpdate, by: AuditActor): Promise<boolean>;
  /** Idempotent. The host's allowance becomes its own, also if its registration token had approved it. */
  approve(id: string, by: AuditActor): Promise<boolean>;
  /** Deletes a host with all of its rows. Its tokens stop working and running work for it is dropped. */
  delete(id: string, by: AuditActor): Promise<boolean>;
}

/** The hosts of one database. */
export function createHostStore({ pool, prisma }: Database): HostStore {
  const list: HostStore['list'] = (query) => selectRows<HostOverview>(pool, selectHosts(query));
  return {
    create: (host, by) => inTransaction(prisma, (tx) => insertHost(tx, host, by)),
    list,
    async count(filters) {
      return (await selectRows<{ n: number }>(pool, countHosts(filters)))[0]?.n ?? 0;
    },
    async packageCount(id) {
      if (!isUuid(id)) return null;
      const state = await prisma.hostState.findUnique({
        where: { hostId: id },
        select: { set: { select: { n: true } } },
      });
      return state?.set?.n ?? null;
    },
    async *stream(filters, sort) {
      let after: HostCursor | null = null;
      for (;;) {
        const page: readonly HostOverview[] = await list({ filters, sort, limit: streamedRows, after });
        if (page.length > 0) yield page;
        const last = page.at(-1);
        if (last === undefined || page.length < streamedRows) return;
        after = cursorOf(last, sort);
      }
    },
    async find(id) {
      if (!isUuid(id)) return null;
      const { rows } = await pool.query<HostOverview>(
        `SELECT ${overviewColumns} FROM host_overview WHERE id = $1`,
        [id],
      );
      return rows[0] ?? null;
    },
    async update(id, changes, by) {
      return isUuid(id) && inTransaction(prisma, (tx) => updateHost(tx, id, changes, by));
    },
    async approve(id, by) {
      return isUuid(id) && inTransaction(prisma, (tx) => approve(tx, id, by));
    },
    async delete(id, by) {
      return isUuid(id) && inTransaction(prisma, (tx) => deleteHost(tx, id, by));
    },
  };
}

async function approve(tx: Transaction, id: string, by: AuditActor): Promise<boolean> {
  await lockRow(tx, 'hosts', id, 'noKeyUpdate');
  const host = await tx.host.findUnique({
    where: { id },
    select: { approvalStatus: true, sharesAllowanceUntil: true },
  });
  if (host === null) return false;
  if (host.approvalStatus === 'approved' && host.sharesAllowanceUntil === null) return true;
  const data = { approvalStatus: 'approved', sharesAllowanceUntil: null };
  await tx.host.updateMany({ where: { id }, data });
  const target = { kind: 'host', id, name: null } as const;
  await recordAuditEvent(tx, { action: 'host.approved', actor: by, target, details: {} });
  return true;
}

async function deleteHost(tx: Transaction, id: string, by: AuditActor): Promise<boolean> {
  await lockRow(tx, 'hosts', id, 'update');
  const host = await tx.host.findUnique({
    where: { id },
    select: { displayName: true, hostname: true, onboardingMode: true },
  });
  if (host === null) return false;
  await tx.host.deleteMany({ where: { id } });
  await recordAuditEvent(tx, {
    action: 'host.deleted',
    actor: by,
    target: { kind: 'host', id, name: host.displayName },
    details: { hostname: host.hostname, onboarding_mode: host.onboardingMode },
  });
  return true;
}
