import type { AdvisoryKey, PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import type { Pacing } from './pacing.ts';

/** Rows per query. Kernels have thousands of statements in a row. */
const rowsPerRead = 2_000;

/** The name of every package version and the advisories that affect it, as numbers for millions of look-ups. */
export interface ReachIndex {
  /** Package names by index. */
  readonly names: readonly string[];
  /** By package version: an index into `names`. */
  readonly nameOf: Int32Array;
  readonly isKernel: Uint8Array;
  /** By package version: the indexes of the statements that affect it. */
  readonly statementsOf: ReadonlyMap<PackageVersionId, readonly number[]>;
  /** By statement index: the groups it counts for, i.e. its own advisory's and those of errata folded into it. */
  readonly groupsOf: readonly (readonly number[])[];
  /** By statement index: 1 if the statement has a fix. */
  readonly fixed: Uint8Array;
  /** Ids of advisories; the records of several feeds under one id form one group. */
  readonly groups: readonly string[];
  readonly groupOf: ReadonlyMap<AdvisoryKey, number>;
}

/** Loads the index without statements that the vendor rates negligible. */
export async function loadReachIndex(client: pg.PoolClient, pacing: Pacing): Promise<ReachIndex> {
  const versions = await loadVersions(client, pacing);
  const statements = await loadStatements(client, pacing);
  return { ...versions, ...statements };
}

async function loadVersions(client: pg.PoolClient, pacing: Pacing) {
  const { rows: highest } = await client.query<{ id: number | null }>(
    'SELECT max(id) AS id FROM package_versions',
  );
  const size = (highest[0]?.id ?? 0) + 1;
  const nameOf = new Int32Array(size);
  const isKernel = new Uint8Array(size);
  const names = new Places<string>();
  await eachPage<{ id: PackageVersionId; name: string; isKernel: boolean }>(
    { client, pacing },
    `SELECT id, name, coalesce(jsonb_typeof(verdict -> 'kernel') = 'object', false) AS "isKernel"
     FROM package_versions WHERE id > $1 ORDER BY id LIMIT $2`,
    (row) => {
      nameOf[row.id] = names.of(row.name);
      isKernel[row.id] = row.isKernel ? 1 : 0;
    },
  );
  return { names: names.keys, nameOf, isKernel };
}

async function loadStatements(client: pg.PoolClient, pacing: Pacing) {
  const groups = new Places<string>();
  const statements = new Places<number>();
  const groupOf = new Map<AdvisoryKey, number>();
  const groupsOf: number[][] = [];
  const fixed: number[] = [];
  await eachPage<{ id: number; advisory: AdvisoryKey; externalId: string; fixed: boolean }>(
    { client, pacing },
    `SELECT ap.id, ap.advisory_id AS advisory, a.external_id AS "externalId", ap.fixed_version IS NOT NULL AS fixed
     FROM (SELECT ap.* FROM advisory_packages ap WHERE ap.id > $1 AND ap.severity <> 'none' AND EXISTS (
             SELECT FROM package_version_advisories m WHERE m.advisory_package_id = ap.id) ORDER BY ap.id LIMIT $2) ap
     JOIN advisories a ON a.id = ap.advisory_id ORDER BY ap.id`,
    (row) => {
      const place = statements.of(row.id);
      const group = groups.of(row.externalId);
      groupOf.set(row.advisory, group);
      groupsOf[place] = [group];
      fixed[place] = row.fixed ? 1 : 0;
    },
  );
  await eachPage<{ id: number; advisory: AdvisoryKey; externalId: string; folded: readonly number[] }>(
    { client, pacing },
    // An erratum also counts where the records of its CVEs affect packages that it names.
    `SELECT ep.id, ep.advisory_id AS advisory, e.external_id AS "externalId", ARRAY(
              SELECT DISTINCT vp.id FROM unnest(coalesce(ep.cves, e.cves)) AS c (cve)
              CROSS JOIN LATERAL (SELECT id FROM advisories v WHERE v.cves @> ARRAY[c.cve] AND v.kind = 'vulnerability' OFFSET 0) v
              JOIN advisory_packages vp ON vp.advisory_id = v.id AND vp.release_id = ep.release_id AND vp.name = ep.name
            ) AS folded
     FROM (SELECT ep.* FROM advisory_packages ep JOIN advisories e ON e.id = ep.advisory_id AND e.kind = 'erratum'
             AND e.withdrawn_at IS NULL
           WHERE ep.id > $1 AND EXISTS (SELECT FROM package_versions v
             WHERE v.release_id = ep.release_id AND v.match_name = ep.name) ORDER BY ep.id LIMIT $2) ep
     JOIN advisories e ON e.id = ep.advisory_id ORDER BY ep.id`,
    ({ advisory, externalId, folded }) => {
      const group = groups.of(externalId);
      groupOf.set(advisory, group);
      for (const id of folded) {
        const place = statements.known(id);
        const reached = place === null ? undefined : groupsOf[place];
        if (reached !== undefined && !reached.includes(group)) reached.push(group);
      }
    },
  );
  const statementsOf = new Map<PackageVersionId, number[]>();
  await eachPage<{ id: PackageVersionId; statementIds: readonly number[] }>(
    { client, pacing },
    `SELECT v.id, ARRAY(SELECT m.advisory_package_id FROM package_version_advisories m
                        WHERE m.package_version_id = v.id) AS "statementIds"
     FROM package_versions v WHERE v.id > $1 ORDER BY v.id LIMIT $2`,
    ({ id, statementIds }) => {
      const places = statementIds.flatMap((statementId) => statements.known(statementId) ?? []);
      if (places.length > 0) statementsOf.set(id, places);
    },
  );
  return { statementsOf, groupsOf, fixed: Uint8Array.from(fixed), groups: groups.keys, groupOf };
}

/** Reads rows in pieces by id. */
async function eachPage<Row extends { readonly id: number }>(
  { client, pacing }: { readonly client: pg.PoolClient; readonly pacing: Pacing },
  text: string,
  take: (row: Row) => void,
): Promise<void> {
  let after = 0;
  for (;;) {
    const { rows } = await client.query<Row>(text, [after, rowsPerRead]);
    for (const row of rows) take(row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < rowsPerRead) return;
    after = last.id;
    await pacing.pause();
  }
}

/** Numbers distinct keys from 0 in order of arrival. */
class Places<Key> {
  readonly keys: Key[] = [];
  private readonly places = new Map<Key, number>();

  of(key: Key): number {
    const known = this.places.get(key);
    if (known !== undefined) return known;
    this.places.set(key, this.keys.length);
    return this.keys.push(key) - 1;
  }

  known(key: Key): number | null {
    return this.places.get(key) ?? null;
  }
}
