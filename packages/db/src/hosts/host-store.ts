import type { AuditActor } from '../audit/audit-events.ts';
import { changedFields } from '../audit/changed-fields.ts';
import { recordAuditEventBySql } from '../audit/record-by-sql.ts';
import { type Database, inTransaction, type Transaction } from '../database.ts';
import { isUuid } from '../uuid.ts';
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

/** Hosts read in pieces of so many rows: most orders cost a sort of all hosts for each. */
const streamedRows = 5_000;

/** What may be changed of a host. */
export interface HostChanges {
  readonly displayName?: string;
  readonly tags?: readonly string[];
}

/** Hosts, as people add them, look them up, name, approve and delete them. */
export interface HostStore {
  /** Adds a host, approved. Of its machine and system nothing is known before its first snapshot. */
  create(host: NewHost, by: AuditActor): Promise<void>;
  /** A page of hosts in order. */
  list(query: HostPageQuery): Promise<readonly HostOverview[]>;
  count(filters: HostFilters): Promise<number>;
  /** Every host in order, page by page, each page as of when it is read. */
  stream(filters: HostFilters, sort: HostSort): AsyncIterable<readonly HostOverview[]>;
  find(id: string): Promise<HostOverview | null>;
  /** Distinct package versions in the host's newest matched snapshot; null before the first, and for no host. */
  packageCount(id: string): Promise<number | null>;
  /** False when there is no such host; likewise below. */
  update(id: string, changes: HostChanges, by: AuditActor): Promise<boolean>;
  /** Approving twice is approving once. */
  approve(id: string, by: AuditActor): Promise<boolean>;
  /** Deletes a host with every row of it; its tokens stop working and work in flight finds nothing to write to. */
  delete(id: string, by: AuditActor): Promise<boolean>;
}

/** The hosts of one database. */
export function createHostStore({ pool }: Database): HostStore {
  const list: HostStore['list'] = async (query) => {
    const { text, values } = selectHosts(query);
    return (await pool.query<HostOverview>(text, [...values])).rows;
  };
  return {
    create: (host, by) => inTransaction(pool, (tx) => insertHost(tx, host, by)),
    list,
    async count(filters) {
      const { text, values } = countHosts(filters);
      return (await pool.query<{ n: number }>(text, [...values])).rows[0]?.n ?? 0;
    },
    async packageCount(id) {
      if (!isUuid(id)) return null;
      const { rows } = await pool.query<{ n: number }>(
        'SELECT p.n FROM host_state s JOIN package_sets p ON p.id = s.set_id WHERE s.host_id = $1',
        [id],
      );
      return rows[0]?.n ?? null;
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
      return isUuid(id) && inTransaction(pool, (tx) => update(tx, id, changes, by));
    },
    async approve(id, by) {
      return isUuid(id) && inTransaction(pool, (tx) => approve(tx, id, by));
    },
    async delete(id, by) {
      return isUuid(id) && inTransaction(pool, (tx) => deleteHost(tx, id, by));
    },
  };
}

async function update(tx: Transaction, id: string, changes: HostChanges, by: AuditActor): Promise<boolean> {
  const { rows } = await tx.query<{ display_name: string; tags: string[] }>(
    'SELECT display_name, tags FROM hosts WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  const before = rows[0];
  if (before === undefined) return false;
  const details = changedFields({ ...before }, { display_name: changes.displayName, tags: changes.tags });
  if (details === null) return true;
  await tx.query(
    'UPDATE hosts SET display_name = coalesce($2, display_name), tags = coalesce($3::text[], tags) WHERE id = $1',
    [id, changes.displayName, changes.tags],
  );
  const target = { kind: 'host', id, name: before.display_name } as const;
  await recordAuditEventBySql(tx, { action: 'host.updated', actor: by, target, details });
  return true;
}

async function approve(tx: Transaction, id: string, by: AuditActor): Promise<boolean> {
  const { rows } = await tx.query<{ approval_status: string }>(
    'SELECT approval_status FROM hosts WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  );
  if (rows[0] === undefined) return false;
  if (rows[0].approval_status === 'approved') return true;
  await tx.query(`UPDATE hosts SET approval_status = 'approved' WHERE id = $1`, [id]);
  const target = { kind: 'host', id, name: null } as const;
  await recordAuditEventBySql(tx, { action: 'host.approved', actor: by, target, details: {} });
  return true;
}

async function deleteHost(tx: Transaction, id: string, by: AuditActor): Promise<boolean> {
  const { rows } = await tx.query<{ display_name: string; hostname: string; onboarding_mode: string }>(
    'DELETE FROM hosts WHERE id = $1 RETURNING display_name, hostname, onboarding_mode',
    [id],
  );
  const host = rows[0];
  if (host === undefined) return false;
  await recordAuditEventBySql(tx, {
    action: 'host.deleted',
    actor: by,
    target: { kind: 'host', id, name: host.display_name },
    details: { hostname: host.hostname, onboarding_mode: host.onboarding_mode },
  });
  return true;
}
