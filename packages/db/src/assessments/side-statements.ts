import type { Builds, Release, SourceNaming, StatementFix } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { Statements } from '../connection/transaction.ts';
import type { HostToAssess } from './stored-host.ts';

/**
 * What an advisory in force states about a package beside what makes findings: of an erratum, which CVEs it names; of
 * a statement about specific builds or about everything built from a source, which builds it is about.
 */
export interface SideStatement {
  readonly statementId: number;
  readonly externalId: string;
  readonly isErratum: boolean;
  /** Whether it is about specific builds of the package, or names a source. */
  readonly isNarrow: boolean;
  readonly cves: readonly string[];
  readonly builds: Builds;
  readonly names?: SourceNaming;
  readonly fix: StatementFix;
}

/** The side statements of a release at a moment. */
export interface SideStatements {
  /** Those about a package, or a source, by its name in advisories; ordered by id. */
  about(name: string): readonly SideStatement[];
}

/** A side statement with the time for which it was stated, in milliseconds since 1970; `until` is infinite while it is. */
interface TimedStatement extends SideStatement {
  readonly from: number;
  readonly until: number;
}

/** What is kept. Measured with Node 20: a statement, and a CVE in its list, which others of one erratum can share. */
const mostBytes = 16 * 2 ** 20;
const bytesOf = { package: 100, statement: 560, cve: 40 } as const;

/**
 * Reads side statements, and keeps those of each package until a transaction changes what is known: hosts of a release ask for
 * the same ones, and a host of a feed with errata for each architecture asks for thousands. Those of past times are
 * kept apart, because a package can have many more of them; too many are read again each time.
 */
export class SideStatementReader {
  readonly #reads: Statements;
  readonly #kept = new LRUCache<string, readonly TimedStatement[]>({ maxSize: mostBytes, sizeCalculation });
  /** The change of knowledge after which everything kept was read, and the number of times that it became another one. */
  #change = '';
  #changes = 0;

  constructor(reads: Statements) {
    this.#reads = reads;
  }

  /** The side statements about some packages of a host's release, as of the moment that the host is looked at. */
  async read(
    { release, moment: { knownAt } }: Pick<HostToAssess, 'release' | 'moment'>,
    names: readonly string[],
  ): Promise<SideStatements> {
    const all = await this.#timed(release, [...new Set(names)], knownAt === null ? 'now' : 'past');
    const time = knownAt?.getTime() ?? null;
    const holds = ({ from, until }: TimedStatement): boolean =>
      time === null || (from <= time && until > time);
    const held = new Map<string, readonly SideStatement[]>();
    return {
      about(name) {
        const known = held.get(name) ?? all.get(name)?.filter(holds) ?? [];
        held.set(name, known);
        return known;
      },
    };
  }

  async #timed(
    release: Release,
    names: readonly string[],
    when: When,
  ): Promise<ReadonlyMap<string, readonly TimedStatement[]>> {
    const change = await newestChange(this.#reads);
    if (change !== this.#change) {
      this.#kept.clear();
      this.#change = change;
      this.#changes += 1;
    }
    const begun = this.#changes;
    const keyOf = (name: string): string => `${when} ${release} ${name}`;
    const found = new Map<string, readonly TimedStatement[]>();
    const missing: string[] = [];
    for (const name of names) {
      const statements = this.#kept.get(keyOf(name));
      if (statements === undefined) missing.push(name);
      else found.set(name, statements);
    }
    if (missing.length === 0) return found;
    const loaded = await loadTimed(this.#reads, { release, names: missing, when });
    for (const name of missing) {
      const statements = loaded.get(name) ?? [];
      found.set(name, statements);
      // What was read before a change that another read has seen meanwhile may be older than that change.
      if (this.#changes === begun) this.#kept.set(keyOf(name), statements);
    }
    return found;
  }
}

/** Whether only what is stated now is read, or what was ever stated as well. */
type When = 'now' | 'past';

function sizeCalculation(statements: readonly TimedStatement[]): number {
  return statements.reduce<number>(
    (sum, { cves }) => sum + bytesOf.statement + bytesOf.cve * cves.length,
    bytesOf.package,
  );
}

/** Names the last transaction that changed what is known. The time tells it from one of before a restore of the database. */
async function newestChange(client: Statements): Promise<string> {
  const { rows } = await client.query<{ change: string }>(
    `SELECT id || ' ' || at AS change FROM knowledge_changes ORDER BY id DESC LIMIT 1`,
  );
  return rows[0]?.change ?? 'none';
}

interface TimedRow {
  readonly name: string;
  readonly statementId: number;
  readonly externalId: string;
  readonly isErratum: boolean;
  readonly isNarrow: boolean;
  readonly cves: readonly string[];
  readonly architectures: readonly string[] | null;
  readonly module: string | null;
  readonly line: string | null;
  readonly names: SourceNaming | null;
  readonly fixedVersion: string | null;
  readonly fixedKey: Uint8Array | null;
  readonly fixedService: string | null;
  readonly since: Date;
  readonly until: Date | null;
}

const statementContent =
  'id, advisory_id, cves, builds, architectures, module, line, names, fixed_version, fixed_key, fixed_service, since';
const advisoryContent = 'external_id, kind, cves, withdrawn_at, since';

/** SQL: the rows of a table with the time until which they were so, also those of before. */
function everIn(table: string, past: string, columns: string, condition: string, when: When): string {
  const current = `SELECT ${columns}, NULL::timestamptz AS until FROM ${table} WHERE ${condition}`;
  return when === 'now'
    ? `${current} OFFSET 0`
    : `${current} UNION ALL SELECT ${columns}, until FROM ${past} WHERE ${condition} OFFSET 0`;
}

/** By name, each ordered by id. A statement whose content or advisory changed is several, one for each time. */
async function loadTimed(
  client: Statements,
  {
    release,
    names,
    when,
  }: { readonly release: Release; readonly names: readonly string[]; readonly when: When },
): Promise<ReadonlyMap<string, readonly TimedStatement[]>> {
  const ofName = 'release_id = r.id AND name = n.name';
  const { rows } = await client.query<TimedRow>(
    `SELECT n.name, ap.id AS "statementId", a.external_id AS "externalId", a.kind = 'erratum' AS "isErratum",
            ap.builds <> '' AS "isNarrow", coalesce(ap.cves, a.cves) AS cves, nullif(ap.architectures, '{}') AS architectures,
            ap.module, ap.line, ap.names, ap.fixed_version AS "fixedVersion", ap.fixed_key AS "fixedKey",
            ap.fixed_service AS "fixedService", greatest(ap.since, a.since) AS since, least(ap.until, a.until) AS until
     FROM releases r CROSS JOIN unnest($2::text[]) AS n (name)
     CROSS JOIN LATERAL (${everIn('advisory_packages', 'past_statements', statementContent, ofName, when)}) ap
     CROSS JOIN LATERAL (${everIn('advisories', 'past_advisories', advisoryContent, 'id = ap.advisory_id', when)}) a
     WHERE r.name = $1 AND a.withdrawn_at IS NULL AND (a.kind = 'erratum' OR ap.builds <> '')
       AND (ap.until IS NULL OR a.since < ap.until) AND (a.until IS NULL OR ap.since < a.until)
     ORDER BY ap.id`,
    [release, names],
  );
  const groups = new Map<string, TimedStatement[]>();
  const same = shareEqualLists();
  for (const row of rows) {
    const group = groups.get(row.name) ?? [];
    group.push(timedOf(row, same));
    groups.set(row.name, group);
  }
  return groups;
}

function timedOf(row: TimedRow, same: (list: readonly string[]) => readonly string[]): TimedStatement {
  const { statementId, externalId, isErratum, isNarrow, module, line, names, fixedVersion, fixedKey } = row;
  return {
    statementId,
    externalId,
    isErratum,
    isNarrow,
    cves: same(row.cves),
    builds: { architectures: same(row.architectures ?? []), module, line },
    ...(names === null ? {} : { names }),
    fix:
      fixedVersion === null || fixedKey === null
        ? { kind: 'unfixed', reason: 'no_fix', detail: '' }
        : // A copy: the row's key is a part of all bytes that came with it.
          { kind: 'fixed', version: fixedVersion, service: row.fixedService, key: Uint8Array.from(fixedKey) },
    from: row.since.getTime(),
    until: row.until?.getTime() ?? Number.POSITIVE_INFINITY,
  };
}

/** Replaces equal lists by one: the statements of an erratum name the same CVEs and architectures. */
function shareEqualLists(): (list: readonly string[]) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (list) => {
    const key = list.join(' ');
    const first = known.get(key);
    if (first !== undefined) return first;
    known.set(key, list);
    return list;
  };
}
