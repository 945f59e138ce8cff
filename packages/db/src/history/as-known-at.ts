import type { Statements } from '../connection/transaction.ts';
import { correctionOf } from './corrections.ts';
import { advisoryColumns, statementColumns } from './past-statements.ts';

/** Statements that `tablesOf` makes against the knowledge of a past time. */
interface PastStatements extends Statements {
  readonly past: { readonly at: Date; readonly corrected: boolean };
}

/**
 * The database as it was known at a time, for reads whose tables are those of `tablesOf`. Corrections of known feed errors
 * (`override_id`) are not among them; matches of that time follow them. `epss` is that of today.
 * @param corrected for a time since the corrections in force were set: with these.
 */
export function asKnownAt(
  client: Statements,
  at: Date,
  { corrected = false }: { readonly corrected?: boolean } = {},
): Statements {
  const then: PastStatements = {
    query: (text, values) => client.query(text, values),
    past: { at, corrected },
  };
  return then;
}

/** SQL: the tables of what is known, as they are for a client: to be put behind FROM, with an alias. */
export interface KnownTables {
  readonly advisories: string;
  readonly statements: string;
  readonly matches: string;
  readonly cves: string;
  /**
   * Joins the rows of one of these to few others. At a past time they are looked up one by one, because PostgreSQL uses no
   * index for a join with current and past rows.
   * @param on equality with columns of tables before it.
   */
  readonly joinFew: (table: string, alias: string, on: string) => string;
}

const tablesNow: KnownTables = {
  advisories: 'advisories',
  statements: 'advisory_packages',
  matches: 'package_version_advisories',
  cves: 'cves',
  joinFew: (table, alias, on) => `JOIN ${table} ${alias} ON ${on}`,
};

/** The tables of a statement of a client. @param values the parameters of the statement: a past time is added as the last one */
export function tablesOf(client: Statements, values: unknown[]): KnownTables {
  if (!isPast(client)) return tablesNow;
  const { at, corrected } = client.past;
  return {
    ...tablesAt(`$${values.push(at)}::timestamptz`, corrected),
    joinFew: (table, alias, on) =>
      `CROSS JOIN LATERAL (SELECT * FROM ${table} ${alias} WHERE ${on} OFFSET 0) ${alias}`,
  };
}

function isPast(client: Statements): client is PastStatements {
  return 'past' in client;
}

function tablesAt(time: string, corrected: boolean): Omit<KnownTables, 'joinFew'> {
  const wasSo = `since <= ${time} AND until > ${time}`;
  const content = statementColumns.join(', ');
  const record = advisoryColumns.join(', ');
  const match = 'package_version_id, advisory_package_id, open_cves, severity, since, since_cause, known_at';
  const exploitedSince = `(fact ->> 'exploited_since')::date`;
  const cves = `(
      SELECT c.id, CASE WHEN c.exploited_known_at <= ${time} THEN c.exploited_since ELSE f.exploited_since END AS exploited_since, c.epss
      FROM cves c LEFT JOIN LATERAL (
        SELECT ${exploitedSince} AS exploited_since FROM past_cve_facts
        WHERE cve = c.id AND kind = 'exploited' AND ${wasSo}) f ON true
      UNION ALL
      SELECT cve, ${exploitedSince}, NULL FROM past_cve_facts p
      WHERE kind = 'exploited' AND ${wasSo} AND NOT EXISTS (SELECT FROM cves c WHERE c.id = p.cve))`;
  const advisories = `(
      SELECT id, ${record}, EXISTS (
        SELECT FROM ${cves} c WHERE c.id = ANY(content.cves) AND c.exploited_since IS NOT NULL) AS known_exploited
      FROM (SELECT id, ${record} FROM advisories WHERE since <= ${time}
            UNION ALL SELECT id, ${record} FROM past_advisories WHERE ${wasSo}) content)`;
  const correction = corrected ? `(SELECT min(o.id) FROM ${correctionOf('ap', advisories)})` : 'NULL::int';
  return {
    cves,
    advisories,
    statements: `(
      SELECT id, ${content}, ${correction} AS override_id FROM advisory_packages ap WHERE since <= ${time}
      UNION ALL SELECT id, ${content}, ${correction} FROM past_statements ap WHERE ${wasSo})`,
    matches: `(
      SELECT ${match} FROM package_version_advisories WHERE since <= ${time}
      UNION ALL SELECT ${match} FROM past_matches WHERE ${wasSo})`,
  };
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
