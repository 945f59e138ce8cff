import { groupBy } from '@plimsoll/model';
import type { Statements } from '../../core/transaction.ts';
import type { PastFix } from './past-fixes.ts';

/** A time span in which a statement, with its record, had a content that was replaced, or deleted, at its end. */
export interface PastContent extends PastFix {
  /** The CVEs that it was about. */
  readonly cves: readonly string[];
}

/** SQL: the content of a row of a view that was in force just before a time. */
export function contentBefore(
  view: 'advisories_ever' | 'statements_ever',
  columns: string,
  { id, until }: { readonly id: string; readonly until: string },
): string {
  return `(SELECT ${columns} FROM ${view} WHERE id = ${id} AND since < ${until} AND until >= ${until} LIMIT 1)`;
}

/**
 * SQL: the times (`id` of the statement, `until`) at which what statements say, or their records, was replaced. Looked up one by
 * one: PostgreSQL otherwise reads all that was ever said.
 * @param stated SQL: the statements (`id`, `advisory_id`).
 */
export function endsOfContents(stated: string): string {
  const ends = (table: string, id: string) =>
    `SELECT s.id, p.until FROM ${stated} s CROSS JOIN LATERAL (SELECT until FROM ${table} WHERE id = ${id} OFFSET 0) p`;
  return `${ends('past_statements', 's.id')} UNION ${ends('past_advisories', 's.advisory_id')}`;
}

/** What statements said before, by number of the statement, each in ascending order. */
export async function loadPastContents(
  client: Statements,
  statementIds: readonly number[],
): Promise<ReadonlyMap<number, readonly PastContent[]>> {
  const { rows } = await client.query<{
    id: number;
    since: Date;
    until: Date;
    hasFix: boolean;
    cves: readonly string[];
  }>(
    `WITH stated AS MATERIALIZED (
       SELECT DISTINCT id, advisory_id FROM statements_ever WHERE id = ANY($1::int[]))
     SELECT e.id, greatest(ap.since, a.since) AS since, e.until, ap.fixed_version IS NOT NULL AS "hasFix",
       coalesce(ap.cves, a.cves) AS cves
     FROM (${endsOfContents('stated')}) e
     CROSS JOIN LATERAL ${contentBefore('statements_ever', 'since, advisory_id, fixed_version, cves', { id: 'e.id', until: 'e.until' })} ap
     CROSS JOIN LATERAL ${contentBefore('advisories_ever', 'since, cves', { id: 'ap.advisory_id', until: 'e.until' })} a
     ORDER BY e.id, e.until`,
    [statementIds],
  );
  const contents = rows.map(({ id, since, until, ...content }) => ({
    id,
    content: { from: since.getTime(), until: until.getTime(), ...content },
  }));
  return new Map(
    [...groupBy(contents, ({ id }) => id)].map(([id, some]) => [id, some.map(({ content }) => content)]),
  );
}
