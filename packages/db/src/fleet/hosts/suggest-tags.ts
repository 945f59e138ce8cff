import { type HostScope, tagsOfScope } from '@plimsoll/model';
import type pg from 'pg';
import { inScopeBySql } from './host-scope.ts';
import { lowerSql } from './host-selection.ts';

/** A tag with its number of approved hosts; hosts that wait for approval can have it, too. */
export interface TagCount {
  readonly tag: string;
  readonly hosts: number;
}

/** The tags of the hosts of a scope that contain a text, ignoring case: those that begin with it first, then by hosts. */
export async function suggestTags(
  pool: pg.Pool,
  { scope, part, limit }: { readonly scope: HostScope; readonly part: string; readonly limit: number },
): Promise<readonly TagCount[]> {
  if (part.includes('\0')) return [];
  const { rows } = await pool.query<TagCount>(
    // First by set of tags: most hosts share one.
    `SELECT tag, hosts FROM (
       SELECT t.tag, sum(n.hosts)::int AS hosts, strpos(${lowerSql('t.tag')}, $2) AS at
       FROM (SELECT tags, count(*) FILTER (WHERE approval_status = 'approved') AS hosts FROM hosts WHERE approval_status <> 'retired' AND ${inScopeBySql('tags', '$1')} GROUP BY tags) n
       CROSS JOIN LATERAL (SELECT DISTINCT unnest(n.tags) AS tag) t GROUP BY t.tag) found
     WHERE at > 0 ORDER BY at > 1, hosts DESC, tag COLLATE "C" LIMIT $3`,
    [tagsOfScope(scope), part.toLowerCase(), limit],
  );
  return rows;
}
