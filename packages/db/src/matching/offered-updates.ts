import { type HostUpgrade, readOffer } from '@plimsoll/advisories';
import type { Release, Upgrade } from '@plimsoll/model';
import type pg from 'pg';

/** Offered updates by id, interpreted by the current rules. */
export async function loadOffers(
  client: pg.PoolClient,
  ids: readonly number[],
): Promise<ReadonlyMap<number, HostUpgrade>> {
  const { rows } = await client.query<Upgrade & { id: number; release: Release }>(
    `SELECT ${upgradeColumns} FROM upgrades u JOIN releases r ON r.id = u.release_id WHERE u.id = ANY($1::int[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, readOffer(row, row.release)] as const));
}

/** Offered updates by id, ordered by name, architecture and id; limited to `names` unless it is null. */
export async function loadUpgrades(
  client: pg.Pool | pg.PoolClient,
  ids: readonly number[],
  names: readonly string[] | null,
): Promise<ReadonlyMap<number, Upgrade>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<Upgrade & { id: number; release: Release }>(
    `SELECT ${upgradeColumns} FROM upgrades u JOIN releases r ON r.id = u.release_id
     WHERE u.id = ANY($1::int[]) AND ($2::text[] IS NULL OR u.name = ANY($2))
     ORDER BY u.name COLLATE "C", u.architecture, u.id`,
    [ids, names],
  );
  return new Map(rows.map(({ id, release: _release, ...upgrade }) => [id, upgrade]));
}

/** The select list of an `Upgrade` with its id and release, from `upgrades u` and `releases r`. */
const upgradeColumns = `u.id, r.name AS release, u.name, u.architecture, u.installed_version AS "installedVersion",
  u.candidate_version AS "candidateVersion", u.repository, u.is_security AS "isSecurity", u.held, u.phased,
  u.source_name AS "sourceName", u.source_version AS "sourceVersion", u.suite, u.origin,
  u.advisory_ids AS "advisoryIds"`;
