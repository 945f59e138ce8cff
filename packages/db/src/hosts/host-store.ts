import type { Database } from '../database.ts';
import { isUuid } from '../uuid.ts';
import { insertHost, type NewHost } from './insert-host.ts';
import { type HostOverview, overviewColumns } from './overview.ts';
import {
  countHosts,
  cursorOf,
  type HostCursor,
  type HostFilters,
  type HostSort,
  selectHosts,
} from './query.ts';

/** Hosts read in pieces of so many rows. */
const streamedRows = 1_000;

/** What may be changed of a host. */
export interface HostChanges {
  readonly displayName?: string;
  readonly tags?: readonly string[];
}

/** Hosts, as people add them, look them up, name, approve and delete them. */
export interface HostStore {
  /** Adds a host, approved. Of its machine and system nothing is known before its first snapshot. */
  create(host: NewHost): Promise<void>;
  /** A page of hosts in order. */
  list(query: {
    filters: HostFilters;
    sort: HostSort;
    limit: number;
    after: HostCursor | null;
  }): Promise<readonly HostOverview[]>;
  count(filters: HostFilters): Promise<number>;
  /** Every host in order, page by page, each page as of when it is read. */
  stream(filters: HostFilters, sort: HostSort): AsyncIterable<readonly HostOverview[]>;
  find(id: string): Promise<HostOverview | null>;
  /** False when there is no such host; likewise below. */
  update(id: string, changes: HostChanges): Promise<boolean>;
  /** Approving twice is approving once. */
  approve(id: string): Promise<boolean>;
  /** Deletes a host with every row of it; its tokens stop working and work in flight finds nothing to write to. */
  delete(id: string): Promise<boolean>;
}

/** The hosts of one database. */
export function createHostStore({ pool, prisma }: Database): HostStore {
  const list: HostStore['list'] = async ({ filters, sort, limit, after }) => {
    const { text, values } = selectHosts(filters, sort, limit, after);
    return (await pool.query<HostOverview>(text, [...values])).rows;
  };
  return {
    create: (host) => insertHost(pool, host),
    list,
    async count(filters) {
      const { text, values } = countHosts(filters);
      return (await pool.query<{ n: number }>(text, [...values])).rows[0]?.n ?? 0;
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
    async update(id, changes) {
      if (!isUuid(id)) return false;
      const { count } = await prisma.host.updateMany({
        where: { id },
        data: {
          ...(changes.displayName === undefined ? {} : { displayName: changes.displayName }),
          ...(changes.tags === undefined ? {} : { tags: [...changes.tags] }),
        },
      });
      return count === 1;
    },
    async approve(id) {
      if (!isUuid(id)) return false;
      const { count } = await prisma.host.updateMany({ where: { id }, data: { approvalStatus: 'approved' } });
      return count === 1;
    },
    async delete(id) {
      if (!isUuid(id)) return false;
      return (await prisma.host.deleteMany({ where: { id } })).count === 1;
    },
  };
}
