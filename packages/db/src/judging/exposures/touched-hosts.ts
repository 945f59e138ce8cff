import type { HostId } from '@plimsoll/model';
import type pg from 'pg';
import { findSetIds } from '../../ingest/set-postings.ts';
import { readVersionChanges } from '../../knowledge/package-versions.ts';

/** The hosts whose exposures changes of advisories can have changed since the last walk. */
export interface TouchedHosts {
  /** The newest change; null if there is none. */
  readonly newest: string | null;
  /** In the order of their ids. */
  readonly hosts: readonly HostId[];
}

/** The hosts that the changes after the walked ones touch: they have or run one of the changed versions. All if those are not known. */
export async function findTouchedHosts(client: pg.PoolClient): Promise<TouchedHosts> {
  const { rows: walked } = await client.query<{ change: string | null }>(
    'SELECT version_change AS change FROM exposure_walk_state',
  );
  const { newest, versions } = await readVersionChanges(client, walked[0]?.change ?? null);
  if (versions === null ? newest === (walked[0]?.change ?? null) : versions.length === 0)
    return { newest, hosts: [] };
  const { rows } = await client.query<{ hostId: HostId }>(
    `SELECT host_id AS "hostId" FROM host_state
     WHERE $1::int[] IS NULL OR set_id = ANY($1) OR judged_kernel_id = ANY($2::int[]) ORDER BY host_id`,
    [versions && [...(await findSetIds(client, versions))], versions],
  );
  return { newest, hosts: rows.map(({ hostId }) => hostId) };
}
