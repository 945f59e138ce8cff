import type { Database } from '../../core/database.ts';

/** The origin of the list of overrides: the project, or the operator's file. */
export type OverrideOrigin = 'project' | 'operator';

/** An entry of the list of known feed errors in use. */
export interface StoredOverride {
  readonly feedId: string;
  readonly release: string;
  readonly package: string;
  readonly cve: string;
  readonly affectedFrom: string | null;
  readonly affectedBefore: string | null;
  readonly reason: string;
  readonly source: string;
  readonly origin: OverrideOrigin;
  /**
   * Number of stored statements that it applies to; 0: the feed does not have such a statement (any more).
   */
  readonly statements: number;
}

/** The list in use, ordered by feed, release, package and CVE. */
export async function listOverrides({ pool }: Database): Promise<readonly StoredOverride[]> {
  const { rows } = await pool.query<StoredOverride>(
    `SELECT o.feed_id AS "feedId", o.release, o.package, o.cve, o.affected_from AS "affectedFrom",
            o.affected_before AS "affectedBefore", o.reason, o.source, o.origin,
            (SELECT count(*)::int FROM releases r JOIN advisory_packages ap ON ap.release_id = r.id
             WHERE r.name = o.release AND ap.name = o.package AND ap.override_id = o.id) AS statements
     FROM feed_overrides o ORDER BY o.feed_id, o.release, o.package, o.cve`,
  );
  return rows;
}
