import type { Statements } from '../connection/transaction.ts';
import { correctionOf } from './corrections.ts';
import { advisoryColumns, statementColumns } from './past-statements.ts';

/** Statements against the knowledge of a past time. */
export interface PastStatements extends Statements {
  readonly isPast: true;
}

/**
 * SQL: joins the rows of a table of knowledge to few others. At a past time they are looked up one by one, because
 * PostgreSQL uses no index for a join with current and past rows.
 * @param table with its alias: `advisories a`.
 * @param on equality with columns of tables before it.
 */
export function joinFew(client: Statements, table: string, on: string): string {
  if (!('isPast' in client)) return `JOIN ${table} ON ${on}`;
  const alias = table.split(' ').at(-1) ?? '';
  return `CROSS JOIN LATERAL (SELECT * FROM ${table} WHERE ${on} OFFSET 0) ${alias}`;
}

/**
 * The database as it was known at a time: in statements of the result, the tables `advisories`, `advisory_packages`,
 * `package_version_advisories` and `cves` have the contents that counted then. Corrections of known feed errors
 * (`override_id`) are not among them; matches of that time follow them. `epss` is that of today. A statement that begins
 * with WITH must name none of its subqueries like these tables.
 * @param corrected for a time since the corrections in force were set: with these.
 */
export function asKnownAt(
  client: Statements,
  at: Date,
  { corrected = false }: { readonly corrected?: boolean } = {},
): PastStatements {
  return {
    isPast: true,
    query: <Row extends object>(text: string, values: unknown[] = []) => {
      const time = `$${values.length + 1}::timestamptz`;
      const rest = /^\s*WITH\s/.test(text) ? text.replace(/^\s*WITH\s/, ', ') : text;
      return client.query<Row>(`WITH ${tablesAt(time, corrected)} ${rest}`, [...values, at]);
    },
  };
}

function tablesAt(time: string, corrected: boolean): string {
  const wasSo = `since <= ${time} AND until > ${time}`;
  const statements = statementColumns.join(', ');
  const advisories = advisoryColumns.join(', ');
  const correction = corrected ? `(SELECT min(o.id) FROM ${correctionOf('ap')})` : 'NULL::int';
  const match = 'package_version_id, advisory_package_id, open_cves, severity, since, since_cause, known_at';
  return `cves AS NOT MATERIALIZED (
      SELECT c.id, CASE WHEN c.exploited_known_at <= ${time} THEN c.exploited_since ELSE f.exploited_since END AS exploited_since, c.epss
      FROM public.cves c LEFT JOIN LATERAL (
        SELECT (fact ->> 'exploited_since')::date AS exploited_since FROM public.past_cve_facts
        WHERE cve = c.id AND kind = 'exploited' AND ${wasSo}) f ON true
      UNION ALL
      SELECT cve, (fact ->> 'exploited_since')::date, NULL FROM public.past_cve_facts p
      WHERE kind = 'exploited' AND ${wasSo} AND NOT EXISTS (SELECT FROM public.cves c WHERE c.id = p.cve)),
    advisories AS NOT MATERIALIZED (
      SELECT id, ${advisories}, EXISTS (
        SELECT FROM cves c WHERE c.id = ANY(content.cves) AND c.exploited_since IS NOT NULL) AS known_exploited
      FROM (SELECT id, ${advisories} FROM public.advisories WHERE since <= ${time}
            UNION ALL SELECT id, ${advisories} FROM public.past_advisories WHERE ${wasSo}) content),
    advisory_packages AS NOT MATERIALIZED (
      SELECT id, ${statements}, ${correction} AS override_id FROM public.advisory_packages ap WHERE since <= ${time}
      UNION ALL SELECT id, ${statements}, ${correction} FROM public.past_statements ap WHERE ${wasSo}),
    package_version_advisories AS NOT MATERIALIZED (
      SELECT ${match} FROM public.package_version_advisories WHERE since <= ${time}
      UNION ALL SELECT ${match} FROM public.past_matches WHERE ${wasSo})`;
}

/** The time for which something was so, in milliseconds since 1970; `until` is infinite while it is. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
}

/** Whether only what is so now is read, or what was ever so as well. */
export type When = 'now' | 'past';

/** Whether something was so at a time; null: whether it is so. */
export function holdsAt({ from, until }: TimeSpan, time: Date | null): boolean {
  if (time === null) return until === Number.POSITIVE_INFINITY;
  return from <= time.getTime() && until > time.getTime();
}

/** The span of a row with the columns `since` and `until` (null: it is still so). */
export function spanOf({ since, until }: { readonly since: Date; readonly until: Date | null }): TimeSpan {
  return { from: since.getTime(), until: until?.getTime() ?? Number.POSITIVE_INFINITY };
}

/** Tables of what is known, with those of what was known before. */
const tables = {
  advisories: 'past_advisories',
  advisory_packages: 'past_statements',
  package_version_advisories: 'past_matches',
} as const;

/**
 * SQL: the rows of a table with the time until which they were so (null: they are), also those of before.
 * @param pastColumns those of the rows of before, if they lack a column.
 */
export function everIn(
  table: keyof typeof tables,
  columns: string,
  condition: string,
  when: When,
  pastColumns = columns,
): string {
  const present = `SELECT ${columns}, NULL::timestamptz AS until FROM ${table} WHERE ${condition}`;
  return when === 'now'
    ? `${present} OFFSET 0`
    : `${present} UNION ALL SELECT ${pastColumns}, until FROM ${tables[table]} WHERE ${condition} OFFSET 0`;
}
