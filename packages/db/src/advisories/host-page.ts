import type { HostId, PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';

/** A host in a list of hosts. */
export interface ListedHost {
  readonly id: HostId;
  readonly displayName: string;
  readonly hostname: string;
  readonly osName: string;
  readonly osVersion: string;
  readonly tags: readonly string[];
}

/** The last host of a page; the next page starts after it. */
export interface ListedHostCursor {
  readonly displayName: string;
  readonly id: string;
}

/** Selects hosts by package set or judged kernel. */
export interface HostsWith {
  readonly setIds: readonly number[];
  readonly kernelIds: readonly PackageVersionId[];
}

const condition = `h.approval_status = 'approved' AND (hs.set_id = ANY($1::int[]) OR hs.judged_kernel_id = ANY($2::int[]))`;

const listedColumns = `h.id, h.display_name AS "displayName", h.hostname, hs.os_name AS "osName", hs.os_version AS "osVersion",
  h.tags`;

/** A page of approved hosts, by display name. */
export async function pageOfHosts(
  client: pg.PoolClient,
  { setIds, kernelIds }: HostsWith,
  { limit, after }: { readonly limit: number; readonly after: ListedHostCursor | null },
): Promise<readonly ListedHost[]> {
  const { rows } = await client.query<ListedHost>(
    `SELECT ${listedColumns} FROM hosts h JOIN host_state hs ON hs.host_id = h.id
     WHERE ${condition} AND ($3::text IS NULL OR (h.display_name, h.id) > ($3, $4::uuid))
     ORDER BY h.display_name, h.id LIMIT $5`,
    [setIds, kernelIds, after?.displayName ?? null, after?.id ?? null, limit],
  );
  return rows;
}

/** Hosts by id, with the fields that lists show; deleted hosts are left out. */
export async function listedHosts(
  client: pg.PoolClient,
  ids: readonly HostId[],
): Promise<ReadonlyMap<HostId, ListedHost>> {
  const { rows } = await client.query<ListedHost>(
    `SELECT ${listedColumns} FROM hosts h JOIN host_state hs ON hs.host_id = h.id WHERE h.id = ANY($1::uuid[])`,
    [ids],
  );
  return new Map(rows.map((host) => [host.id, host]));
}

/** The number of approved hosts that `which` selects. */
export async function countHostsWith(
  client: pg.PoolClient,
  { setIds, kernelIds }: HostsWith,
): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM hosts h JOIN host_state hs ON hs.host_id = h.id WHERE ${condition}`,
    [setIds, kernelIds],
  );
  return rows[0]?.n ?? 0;
}

/** The number of approved hosts without a matched report, whose packages are unknown. */
export async function countUnreportedHosts(client: pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM hosts h JOIN host_state hs ON hs.host_id = h.id
     WHERE h.approval_status = 'approved' AND hs.set_id IS NULL`,
  );
  return rows[0]?.n ?? 0;
}
