import type { DueCve, Statement, StatementDates } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { Statements } from '../core/transaction.ts';

/** The same statements with their dates, by owner. */
export function dateAll<Owner>(
  client: Statements,
  byOwner: ReadonlyMap<Owner, readonly Statement[]>,
): Promise<ReadonlyMap<Owner, readonly Statement[]>> {
  return new StatementDater(client).dateAll(byOwner);
}

/** What is kept. Estimated: the dates of a statement, and a CVE among them. */
const mostBytes = 8 * 2 ** 20;
const bytesOf = { dates: 260, cve: 90 } as const;

/** Dates statements as they are now, and keeps their dates. Use it as long as what is known does not change. */
export class StatementDater {
  readonly #client: Statements;
  readonly #kept: LRUCache<number, StatementDates>;

  /** @param maxSize how many bytes it keeps. */
  constructor(client: Statements, maxSize = mostBytes) {
    this.#client = client;
    this.#kept = new LRUCache({
      maxSize,
      sizeCalculation: ({ cves }) => bytesOf.dates + bytesOf.cve * cves.length,
    });
  }

  /** As the function. */
  async dateAll<Owner>(
    byOwner: ReadonlyMap<Owner, readonly Statement[]>,
  ): Promise<ReadonlyMap<Owner, readonly Statement[]>> {
    const all = new Set([...byOwner.values()].flat());
    const found = new Map<number, StatementDates>();
    const missing = new Map<number, Statement>();
    for (const statement of all) {
      const dates = this.#kept.get(statement.statementId);
      if (dates === undefined) missing.set(statement.statementId, statement);
      else found.set(statement.statementId, dates);
    }
    const asked = [...missing.values()].map(({ statementId, fix, cves }) => ({
      statementId,
      isFixed: fix.kind === 'fixed',
      cves,
    }));
    for (const [id, dates] of await datesOfStatements(this.#client, asked)) {
      found.set(id, dates);
      this.#kept.set(id, dates);
    }
    const dated = new Map<Statement, Statement>();
    for (const statement of all) {
      const dates = found.get(statement.statementId);
      dated.set(statement, dates === undefined ? statement : { ...statement, dates });
    }
    return new Map(
      [...byOwner].map(([owner, statements]) => [
        owner,
        statements.map((statement) => dated.get(statement) ?? statement),
      ]),
    );
  }
}

/** A statement whose dates are asked for. */
export interface DatedStatement {
  readonly statementId: number;
  readonly isFixed: boolean;
  readonly cves: readonly string[];
}

/** The dates of statements by their number; those that are no longer stored have none. */
export async function datesOfStatements(
  client: Statements,
  statements: readonly DatedStatement[],
): Promise<ReadonlyMap<number, StatementDates>> {
  if (statements.length === 0) return new Map();
  const dates = await loadDates(client, [...new Set(statements.map(({ statementId }) => statementId))]);
  const cves = await loadCves(client, [...new Set(statements.flatMap((statement) => statement.cves))]);
  return new Map(
    statements.flatMap((statement) => {
      const row = dates.get(statement.statementId);
      return row === undefined ? [] : [[row.id, datesOf(row, statement, cves)] as const];
    }),
  );
}

interface DatesRow {
  readonly id: number;
  readonly kind: 'vulnerability' | 'erratum';
  /** When the statement was first imported. */
  readonly firstSeenAt: Date;
  /** The earliest date that its record ever stated. */
  readonly publishedAt: Date | null;
  /** When its present fixed version was first imported, if it had another one or none before; otherwise null. */
  readonly changedAt: Date | null;
  /** The earliest publication of an erratum that ships the fixed version for its CVEs. */
  readonly erratumAt: Date | null;
}

interface CveRow {
  readonly id: string;
  readonly exploitedAt: Date | null;
  readonly exploitation: 'none' | 'poc' | 'active' | null;
  readonly automatable: boolean | null;
  readonly impact: 'partial' | 'total' | null;
}

/**
 * A fix is as old as the first record that stated its version: an erratum's date; the date of a record of a CVE if no
 * erratum ships it; or the import that first brought the version, if the record stated another one before. A date after
 * the import counts as the import.
 */
function datesOf(
  { kind, firstSeenAt, publishedAt, changedAt, erratumAt }: DatesRow,
  { isFixed, cves: ids }: DatedStatement,
  cves: ReadonlyMap<string, DueCve>,
): StatementDates {
  const seenAt = firstSeenAt.getTime();
  const statedAt = Math.min(publishedAt?.getTime() ?? seenAt, seenAt);
  const known = [
    ...(changedAt === null ? [] : [changedAt.getTime()]),
    ...(erratumAt === null ? [] : [erratumAt.getTime()]),
    ...(changedAt === null && kind === 'erratum' ? [statedAt] : []),
  ];
  return {
    fixPublishedAt: !isFixed
      ? null
      : known.length === 0
        ? statedAt
        : Math.min(...known, changedAt?.getTime() ?? seenAt),
    isFixDateKnown: known.length > 0,
    statedAt,
    cves: ids.flatMap((id) => cves.get(id) ?? []),
  };
}

async function loadDates(client: Statements, ids: readonly number[]): Promise<ReadonlyMap<number, DatesRow>> {
  const { rows } = await client.query<DatesRow>(
    `WITH s AS MATERIALIZED (
       SELECT ap.id, ap.advisory_id, ap.release_id, ap.name, ap.fixed_version, ap.first_seen_at, ap.since, a.kind,
              a.published_at, coalesce(ap.cves, a.cves) AS cves
       FROM advisory_packages ap JOIN advisories a ON a.id = ap.advisory_id WHERE ap.id = ANY($1::int[])),
     earlier AS (
       SELECT p.id, min(p.since) FILTER (WHERE p.fixed_version = s.fixed_version) AS same_since,
              min(p.since) FILTER (WHERE p.fixed_version IS DISTINCT FROM s.fixed_version) AS other_since
       FROM past_statements p JOIN s USING (id) GROUP BY p.id),
     dated AS (
       SELECT p.id, min(p.published_at) AS published_at FROM past_advisories p
       WHERE p.id IN (SELECT advisory_id FROM s) GROUP BY p.id),
     -- The errata of each package once: a kernel has thousands of statements, each with its own fixed version.
     shipped AS MATERIALIZED (
       SELECT e.* FROM (SELECT DISTINCT release_id, name FROM s WHERE kind = 'vulnerability') k
       CROSS JOIN LATERAL (
         SELECT ap.release_id, ap.name, ap.fixed_version, coalesce(ap.cves, a.cves) AS cves, a.published_at
         FROM advisory_packages ap JOIN advisories a ON a.id = ap.advisory_id
         WHERE ap.release_id = k.release_id AND ap.name = k.name AND ap.fixed_version IS NOT NULL
           AND a.kind = 'erratum' AND a.withdrawn_at IS NULL OFFSET 0) e),
     errata AS (
       SELECT s.id, min(e.published_at) AS published_at
       FROM s JOIN shipped e USING (release_id, name, fixed_version)
       WHERE s.kind = 'vulnerability' AND e.cves && s.cves GROUP BY s.id)
     SELECT s.id, s.kind, s.first_seen_at AS "firstSeenAt", least(s.published_at, d.published_at) AS "publishedAt",
            CASE WHEN h.other_since < coalesce(h.same_since, s.since) THEN coalesce(h.same_since, s.since) END AS "changedAt",
            e.published_at AS "erratumAt"
     FROM s LEFT JOIN earlier h USING (id) LEFT JOIN dated d ON d.id = s.advisory_id LEFT JOIN errata e ON e.id = s.id`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The facts of all CVEs asked for; statements about one CVE share the object. */
async function loadCves(client: Statements, ids: readonly string[]): Promise<ReadonlyMap<string, DueCve>> {
  const { rows } = await client.query<CveRow>(
    `SELECT id, exploited_since::timestamp AT TIME ZONE 'UTC' AS "exploitedAt",
            ssvc_exploitation AS exploitation, ssvc_automatable AS automatable, ssvc_impact AS impact
     FROM cves WHERE id = ANY($1::text[]) AND (exploited_since IS NOT NULL OR ssvc_at IS NOT NULL)`,
    [ids],
  );
  const cves = new Map<string, DueCve>(ids.map((id) => [id, { id, exploitedAt: null, ssvc: null }]));
  for (const row of rows)
    cves.set(row.id, {
      id: row.id,
      exploitedAt: row.exploitedAt?.getTime() ?? null,
      ssvc: decisionOf(row),
    });
  return cves;
}

/** A decision is stored with all its answers, or not at all. */
function decisionOf({ exploitation, automatable, impact }: CveRow): DueCve['ssvc'] {
  if (exploitation === null || automatable === null || impact === null) return null;
  return { exploitation, automatable, impact };
}
