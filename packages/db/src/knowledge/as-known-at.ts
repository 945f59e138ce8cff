import type { Statements } from '../core/transaction.ts';
import { correctionOf } from './corrections.ts';
import { statementColumns } from './past-statements.ts';

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
      SELECT *, EXISTS (
        SELECT FROM ${cves} c WHERE c.id = ANY(content.cves) AND c.exploited_since IS NOT NULL) AS known_exploited
      FROM advisories_ever content WHERE ${wasSo})`;
  const correction = corrected ? `(SELECT min(o.id) FROM ${correctionOf('ap', advisories)})` : 'NULL::int';
  return {
    cves,
    advisories,
    statements: `(
      SELECT ${['id', ...statementColumns].join(', ')}, ${correction} AS override_id FROM statements_ever ap WHERE ${wasSo})`,
    matches: `(SELECT * FROM matches_ever WHERE ${wasSo})`,
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

/** The views of what is known and was known before (prisma/sql/history.sql), by the tables of what is known. */
const views = { advisories: 'advisories_ever', advisory_packages: 'statements_ever' } as const;

/** SQL: the rows of a table with the time until which they were so (null: they are), also those of before. */
export function everIn(table: keyof typeof views, columns: string, condition: string, when: When): string {
  return when === 'now'
    ? `SELECT ${columns}, NULL::timestamptz AS until FROM ${table} WHERE ${condition} OFFSET 0`
    : `SELECT ${columns}, nullif(until, 'infinity') AS until FROM ${views[table]} WHERE ${condition} OFFSET 0`;
}
