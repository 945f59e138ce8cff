import type { HostId } from '@plimsoll/model';
import type pg from 'pg';
import { findSetIds } from '../interning/set-postings.ts';
import { readVersionChanges } from '../matching/package-versions.ts';

/** The hosts whose exposures changes of advisories can have changed since the last walk. */
export interface TouchedHosts {
  /** The newest change; null if there is none. */
  readonly newest: string | null;
  /** Null: any host. */
  readonly hosts: readonly HostId[] | null;
}

/** The hosts that the changes after the walked ones touch: they have or run one of the changed versions. */
export async function findTouchedHosts(client: pg.PoolClient): Promise<TouchedHosts> {
  const { rows: walked } = await client.query<{ change: string | null }>(
    'SELECT version_change AS change FROM exposure_walk_state',
  );
  const { newest, versions } = await readVersionChanges(client, walked[0]?.change ?? null);
  if (versions === null) return { newest, hosts: newest === (walked[0]?.change ?? null) ? [] : null };
  if (versions.length === 0) return { newest, hosts: [] };
  const sets = await findSetIds(client, versions);
  const { rows } = await client.query<{ hostId: HostId }>(
    `SELECT host_id AS "hostId" FROM host_state
     WHERE set_id = ANY($1::int[]) OR judged_kernel_id = ANY($2::int[])`,
    [[...sets], versions],
  );
  return { newest, hosts: rows.map(({ hostId }) => hostId) };
}
