import type { PackageVersion, PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import { readVerdict } from '../interning/stored-verdict.ts';

/** A PackageVersion with the number of its release. */
export interface StoredPackageVersion extends PackageVersion {
  readonly releaseId: number;
}

/** The select list for `queryPackageVersions`, from `package_versions v` and `releases r`. */
export const packageVersionColumns = `v.id, v.release_id AS "releaseId", r.name AS release, v.name, v.architecture, v.version,
  v.source_name AS "sourceName", v.source_version AS "sourceVersion", v.vendor, v.suite, v.module,
  v.match_name AS "matchName", v.match_key AS "matchKey", v.verdict AS "storedVerdict"`;

/** Runs a query with the select list `packageVersionColumns` and returns its rows in order. */
export async function queryPackageVersions(
  client: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<readonly StoredPackageVersion[]> {
  const { rows } = await client.query<
    Omit<StoredPackageVersion, 'verdict'> & { readonly storedVerdict: unknown }
  >(text, [...values]);
  return rows.map(({ storedVerdict, ...version }) => ({ ...version, verdict: readVerdict(storedVerdict) }));
}

/** Package versions by id. */
export function loadPackageVersions(
  client: pg.Pool | pg.PoolClient,
  ids: readonly PackageVersionId[],
): Promise<readonly StoredPackageVersion[]> {
  return queryPackageVersions(
    client,
    `SELECT ${packageVersionColumns} FROM package_versions v JOIN releases r ON r.id = v.release_id
     WHERE v.id = ANY($1::int[]) ORDER BY v.id`,
    [ids],
  );
}
