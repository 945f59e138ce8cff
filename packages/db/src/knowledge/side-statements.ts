import {
  type Builds,
  compareText,
  groupBy,
  type Release,
  type SourceNaming,
  type StatementFix,
} from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { Statements } from '../core/transaction.ts';
import { everIn, holdsAt, spanOf, type TimeSpan, type When } from './as-known-at.ts';

/** A statement of an advisory in force about specific builds of a package, or about everything built from a source. */
export interface SideStatement {
  readonly statementId: number;
  readonly externalId: string;
  readonly builds: Builds;
  readonly names?: SourceNaming;
  readonly fix: StatementFix;
}

/** What advisories in force state about packages of a release at a moment beside what makes findings. */
export interface SideStatements {
  /** The statements about specific builds of a package, or about a source, by its name in advisories; ordered by id. */
  ofBuilds(name: string): readonly SideStatement[];
  /** The ids of the errata about a package that name a CVE; sorted. */
  errataOf(name: string, cve: string): readonly string[];
}

interface TimedStatement extends SideStatement, TimeSpan {}

/** The errata that name a CVE. */
interface NamingErrata {
  /** Each with the times for which it named it, ordered by id. */
  readonly spans: (TimeSpan & { readonly id: string })[];
  /** Of all of them. */
  readonly ids: string[];
}

/** Everything about one package. */
interface TimedSides {
  readonly ofBuilds: readonly TimedStatement[];
  /** By CVE. */
  readonly errata: ReadonlyMap<string, NamingErrata>;
  readonly bytes: number;
}

/** What is kept. A statement about builds was measured with Node 20; an erratum, and one of its CVEs, are estimated. */
const mostBytes = 16 * 2 ** 20;
const bytesOf = { package: 300, statement: 520, erratum: 120, cve: 170 } as const;

/**
 * Reads side statements, and keeps those of each package: hosts of a release ask for the same ones, and a host of a feed with
 * errata for each architecture asks for thousands. Those of past times are kept apart, because a package can have many
 * more of them; too many are read again each time. Use it as long as what is known does not change.
 */
export class SideStatementReader {
  readonly #reads: Statements;
  readonly #kept = new LRUCache<string, TimedSides>({
    maxSize: mostBytes,
    sizeCalculation: ({ bytes }) => bytes,
  });

  constructor(reads: Statements) {
    this.#reads = reads;
  }

  /** The side statements about some packages of a release. @param knownAt as they were known then; null: as they are. */
  async read(release: Release, names: readonly string[], knownAt: Date | null): Promise<SideStatements> {
    const all = await this.#timed(release, [...new Set(names)], knownAt === null ? 'now' : 'past');
    const held = new Map<string, readonly SideStatement[]>();
    return {
      ofBuilds(name) {
        const known =
          held.get(name) ?? all.get(name)?.ofBuilds.filter((each) => holdsAt(each, knownAt)) ?? [];
        held.set(name, known);
        return known;
      },
      errataOf(name, cve) {
        const naming = all.get(name)?.errata.get(cve);
        if (naming === undefined) return [];
        const { spans, ids } = naming;
        return spans.every((span) => holdsAt(span, knownAt))
          ? ids
          : ids.filter((id) => spans.some((span) => span.id === id && holdsAt(span, knownAt)));
      },
    };
  }

  async #timed(
    release: Release,
    names: readonly string[],
    when: When,
  ): Promise<ReadonlyMap<string, TimedSides>> {
    const keyOf = (name: string): string => `${when} ${release} ${name}`;
    const found = new Map<string, TimedSides>();
    const missing: string[] = [];
    for (const name of names) {
      const sides = this.#kept.get(keyOf(name));
      if (sides === undefined) missing.push(name);
      else found.set(name, sides);
    }
    if (missing.length === 0) return found;
    const loaded = await loadTimed(this.#reads, { release, names: missing, when });
    for (const name of missing) {
      const sides = loaded.get(name) ?? noSides;
      found.set(name, sides);
      this.#kept.set(keyOf(name), sides);
    }
    return found;
  }
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

/** By name. A statement whose content or advisory changed is several, one for each time. */
async function loadTimed(
  client: Statements,
  {
    release,
    names,
    when,
  }: { readonly release: Release; readonly names: readonly string[]; readonly when: When },
): Promise<ReadonlyMap<string, TimedSides>> {
  const ofName = 'release_id = r.id AND name = n.name';
  const { rows } = await client.query<TimedRow>(
    `SELECT n.name, ap.id AS "statementId", a.external_id AS "externalId", a.kind = 'erratum' AS "isErratum",
            ap.builds <> '' AS "isNarrow", coalesce(ap.cves, a.cves) AS cves, nullif(ap.architectures, '{}') AS architectures,
            ap.module, ap.line, ap.names, ap.fixed_version AS "fixedVersion", ap.fixed_key AS "fixedKey",
            ap.fixed_service AS "fixedService", greatest(ap.since, a.since) AS since, least(ap.until, a.until) AS until
     FROM releases r CROSS JOIN unnest($2::text[]) AS n (name)
     CROSS JOIN LATERAL (${everIn('advisory_packages', statementContent, ofName, when)}) ap
     CROSS JOIN LATERAL (${everIn('advisories', advisoryContent, 'id = ap.advisory_id', when)}) a
     WHERE r.name = $1 AND a.withdrawn_at IS NULL AND (a.kind = 'erratum' OR ap.builds <> '')
       AND (ap.until IS NULL OR a.since < ap.until) AND (a.until IS NULL OR ap.since < a.until)
     ORDER BY ap.id`,
    [release, names],
  );
  const same = shareEqualLists();
  return new Map([...groupBy(rows, ({ name }) => name)].map(([name, some]) => [name, sidesOf(some, same)]));
}

function sidesOf(
  rows: readonly TimedRow[],
  same: (list: readonly string[]) => readonly string[],
): TimedSides {
  const ofBuilds = rows.filter(({ isNarrow }) => isNarrow).map((row) => timedOf(row, same));
  // An erratum about several architectures is several statements about the same CVEs.
  const distinct = new Map<string, TimedRow>();
  for (const row of rows) {
    const { from, until } = spanOf(row);
    if (row.isErratum) distinct.set(`${row.externalId} ${from} ${until} ${row.cves.join(' ')}`, row);
  }
  const errata = new Map<string, NamingErrata>();
  let pairs = 0;
  for (const row of [...distinct.values()].sort((a, b) => compareText(a.externalId, b.externalId))) {
    const id = row.externalId;
    const span = { id, ...spanOf(row) };
    pairs += row.cves.length;
    for (const cve of row.cves) {
      const naming = errata.get(cve);
      if (naming === undefined) errata.set(cve, { spans: [span], ids: [id] });
      else {
        naming.spans.push(span);
        if (naming.ids.at(-1) !== id) naming.ids.push(id);
      }
    }
  }
  const bytes =
    bytesOf.package +
    bytesOf.statement * ofBuilds.length +
    bytesOf.erratum * distinct.size +
    bytesOf.cve * pairs;
  return { ofBuilds, errata, bytes };
}

const noSides: TimedSides = { ofBuilds: [], errata: new Map(), bytes: bytesOf.package };

function timedOf(row: TimedRow, same: (list: readonly string[]) => readonly string[]): TimedStatement {
  const { statementId, externalId, module, line, names, fixedVersion, fixedKey } = row;
  return {
    statementId,
    externalId,
    builds: { architectures: same(row.architectures ?? []), module, line },
    ...(names === null ? {} : { names }),
    fix:
      fixedVersion === null || fixedKey === null
        ? { kind: 'unfixed', reason: 'no_fix', detail: '' }
        : // A copy: the row's key is a part of all bytes that came with it.
          { kind: 'fixed', version: fixedVersion, service: row.fixedService, key: Uint8Array.from(fixedKey) },
    ...spanOf(row),
  };
}

/** Replaces equal lists by one: the statements of an erratum name the same CVEs and architectures. */
export function shareEqualLists(): (list: readonly string[]) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (list) => {
    const key = list.join(' ');
    const first = known.get(key);
    if (first !== undefined) return first;
    known.set(key, list);
    return list;
  };
}
