import { feedRoles } from '@plimsoll/advisories';
import type {
  AdvisoryKey,
  PackageVersionId,
  Severity,
  SeveritySource,
  SourceNaming,
  Statement,
  StatementFix,
  UnfixedReason,
} from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import { rowTable } from '../core/row-table.ts';
import type { Statements } from '../core/transaction.ts';
import { tablesOf } from './as-known-at.ts';
import { isKnownExploitedBy } from './known-exploited.ts';
import type { StoredPackageVersion } from './package-versions.ts';

/** The columns of a statement and of what applies to it; see `contentColumns`. */
export interface StatementRow {
  readonly id: number;
  readonly advisory_id: number;
  readonly feed_id: string;
  readonly external_id: string;
  readonly kind: 'vulnerability' | 'erratum';
  readonly cves: readonly string[];
  readonly severity: Severity;
  readonly severity_source: SeveritySource;
  readonly fixed_version: string | null;
  readonly fixed_key: Uint8Array | null;
  readonly fixed_service: string | null;
  readonly unfixed_reason: UnfixedReason | null;
  readonly unfixed_detail: string;
  /** Null: none, because reading an empty array takes as long as reading a full one. */
  readonly architectures: readonly string[] | null;
  readonly module: string | null;
  readonly line: string | null;
  readonly names: SourceNaming | null;
  readonly withdrawn: boolean;
  readonly known_exploited: boolean;
  /** When the statement was first imported; of a match since when it is known. */
  readonly known_since: Date;
  /** Only of matches; null if all CVEs are open. */
  readonly open_cves?: readonly string[] | null;
  /** Null if the statement's own severity counts. */
  readonly open_severity?: Severity | null;
  readonly override_from: Uint8Array | null;
  readonly override_before: Uint8Array | null;
  readonly override_reason: string | null;
  readonly override_source: string | null;
}

/** The select list of a `StatementRow` without `known_exploited` and `known_since`. */
export const contentColumns = `ap.id, ap.advisory_id, a.feed_id, a.external_id, a.kind, coalesce(ap.cves, a.cves) AS cves, ap.severity, ap.severity_source, ap.fixed_version,
  ap.fixed_key, ap.fixed_service, ap.unfixed_reason, ap.unfixed_detail, nullif(ap.architectures, '{}') AS architectures, ap.module, ap.line, ap.names,
  a.withdrawn_at IS NOT NULL AS withdrawn, o.from_key AS override_from,
  o.before_key AS override_before, o.reason AS override_reason, o.source AS override_source`;

const statementColumns = (cves: string) =>
  `${contentColumns}, ${isKnownExploitedBy(cves)} AS known_exploited`;

/** SQL: the corrections of statements `ap`. */
export const joinOverrides = 'LEFT JOIN feed_overrides o ON o.id = ap.override_id';

/** SQL: the matches of package versions. Equal matches of versions, as of one source, are one row with all owners. */
const groupedMatches = (
  matches: string,
) => `SELECT advisory_package_id, open_cves, severity, known_at, array_agg(package_version_id) AS owners
  FROM ${matches} m WHERE package_version_id = ANY($1::int[])
  GROUP BY advisory_package_id, open_cves, severity, known_at`;
/** SQL: the same, one row each: of a few advisories they are found by these, which a grouping would prevent. */
const singleMatches = (
  matches: string,
) => `SELECT advisory_package_id, open_cves, severity, known_at, ARRAY[package_version_id] AS owners
  FROM ${matches} m WHERE package_version_id = ANY($1::int[])`;

/**
 * The stored matches of package versions, by package version id; a version without matches has no entry. If
 * `advisories` is given, only statements of these.
 */
export async function loadMatchedStatements(
  client: Statements,
  ids: readonly PackageVersionId[],
  advisories: readonly AdvisoryKey[] | null = null,
): Promise<ReadonlyMap<PackageVersionId, readonly Statement[]>> {
  const values: unknown[] = advisories === null ? [ids] : [ids, advisories];
  const known = tablesOf(client, values);
  const { rows } = await client.query<StatementRow & { readonly owners: readonly PackageVersionId[] }>(
    `SELECT m.owners, ${statementColumns(known.cves)}, m.open_cves, m.severity AS open_severity, m.known_at AS known_since
     FROM (${(advisories === null ? groupedMatches : singleMatches)(known.matches)}) m
     ${known.joinFew(known.statements, 'ap', 'ap.id = m.advisory_package_id')}
     ${known.joinFew(known.advisories, 'a', 'a.id = ap.advisory_id')} ${joinOverrides}
     ${advisories === null ? '' : 'WHERE ap.advisory_id = ANY($2::int[])'} ORDER BY ap.id`,
    values,
  );
  return groupByOwner(rows, ({ owners }) => owners);
}

/** A package of a release by the name that advisories use. `isSource`: statements that name a source rpm. */
export interface PackagePair {
  readonly releaseId: number;
  readonly name: string;
  readonly isSource: boolean;
}

/** The names under which statements about a package version are stored; empty if the version cannot be compared. */
export function pairsOf({
  releaseId,
  matchName,
  sourceName,
}: Pick<StoredPackageVersion, 'releaseId' | 'matchName' | 'sourceName'>): readonly PackagePair[] {
  if (matchName === null) return [];
  const own = { releaseId, name: matchName, isSource: false };
  return sourceName === '' ? [own] : [own, { releaseId, name: sourceName, isSource: true }];
}

/** A key that is unique per pair. */
function pairKey({ releaseId, name, isSource }: PackagePair): string {
  return `${releaseId}/${name}${isSource ? '/source' : ''}`;
}

/** The statements about some package versions. */
export interface StatementsOf {
  about(version: StoredPackageVersion): readonly Statement[];
  /** The same as lists that equally named versions share, and that a StatementMemory returns as long as it keeps them. */
  listsAbout(version: StoredPackageVersion): readonly (readonly Statement[])[];
  /** Each statement once. */
  readonly all: readonly Statement[];
}

/** All statements about package versions, including withdrawn ones; with `advisories`, only statements of these. */
export async function loadStatementsOf(
  client: Statements,
  versions: readonly StoredPackageVersion[],
  advisories: readonly AdvisoryKey[] | null = null,
): Promise<StatementsOf> {
  return statementsBy(await loadPairs(client, distinctPairs(versions), advisories));
}

/** Statements that are kept between two loads; one takes about 600 bytes. */
const mostStatements = 30_000;

/** Loads all statements about package versions, those about each package once. Use it as long as no advisory changes. */
export class StatementMemory {
  private readonly known = new LRUCache<string, readonly Statement[]>({
    maxSize: mostStatements,
    sizeCalculation: (statements) => 1 + statements.length,
  });

  /** As loadStatementsOf. */
  async load(client: Statements, versions: readonly StoredPackageVersion[]): Promise<StatementsOf> {
    const found = new Map<string, readonly Statement[]>();
    const missing: PackagePair[] = [];
    for (const pair of distinctPairs(versions)) {
      const statements = this.known.get(pairKey(pair));
      if (statements === undefined) missing.push(pair);
      else found.set(pairKey(pair), statements);
    }
    const loaded = missing.length === 0 ? found : await loadPairs(client, missing);
    for (const pair of missing) {
      const statements = loaded.get(pairKey(pair)) ?? [];
      this.known.set(pairKey(pair), statements);
      found.set(pairKey(pair), statements);
    }
    return statementsBy(found);
  }
}

function distinctPairs(versions: readonly StoredPackageVersion[]): readonly PackagePair[] {
  return [...new Map(versions.flatMap(pairsOf).map((pair) => [pairKey(pair), pair])).values()];
}

function statementsBy(groups: ReadonlyMap<string, readonly Statement[]>): StatementsOf {
  const listsAbout: StatementsOf['listsAbout'] = (version) =>
    pairsOf(version).flatMap((pair) => {
      const list = groups.get(pairKey(pair));
      return list === undefined ? [] : [list];
    });
  return { about: (version) => listsAbout(version).flat(), listsAbout, all: [...groups.values()].flat() };
}

/** The statements about packages, by their keys. */
async function loadPairs(
  client: Statements,
  pairs: readonly PackagePair[],
  advisories: readonly AdvisoryKey[] | null = null,
): Promise<ReadonlyMap<string, readonly Statement[]>> {
  const asked = rowTable(
    'release_id int, name text, is_source bool, key text',
    pairs.map((pair) => ({ key: pairKey(pair), ...pair })),
  );
  const values = [...asked.values, advisories];
  const known = tablesOf(client, values);
  const ofPair = (condition: string) =>
    known.joinFew(
      known.statements,
      'ap',
      `ap.release_id = p.release_id AND ap.name = p.name AND ${condition}`,
    );
  const { rows } = await client.query<StatementRow & { readonly key: string }>(
    `WITH p AS (SELECT * FROM ${asked.table} n)
     SELECT ap.key, ${statementColumns(known.cves)}, ap.first_seen_at AS known_since
     FROM (SELECT p.key, ap.* FROM p ${ofPair('ap.names IS NULL')}
           WHERE NOT p.is_source
           UNION ALL
           SELECT p.key, ap.* FROM p ${ofPair('ap.names IS NOT NULL')}
           WHERE p.is_source) ap
     ${known.joinFew(known.advisories, 'a', 'a.id = ap.advisory_id')} ${joinOverrides} WHERE $5::int[] IS NULL OR a.id = ANY($5) ORDER BY ap.id`,
    values,
  );
  return groupByOwner(rows, ({ key }) => [key]);
}

/** The statements of rows by owner, in the order of the rows; the owners of a row share its statement. */
function groupByOwner<Owner, Row extends StatementRow>(
  rows: readonly Row[],
  ownersOf: (row: Row) => readonly Owner[],
): ReadonlyMap<Owner, readonly Statement[]> {
  const groups = new Map<Owner, Statement[]>();
  for (const row of rows) {
    const statement = toStatement(row);
    for (const owner of ownersOf(row)) {
      const group = groups.get(owner);
      if (group === undefined) groups.set(owner, [statement]);
      else group.push(statement);
    }
  }
  return groups;
}

/** The statement of a row. */
export function toStatement(row: StatementRow): Statement {
  return {
    statementId: row.id,
    advisory: row.advisory_id as AdvisoryKey, // The id of an advisories row.
    externalId: row.external_id,
    kind: row.kind,
    cves: row.cves,
    severity: row.open_severity ?? row.severity,
    severitySource: row.open_severity == null ? row.severity_source : 'cves',
    ...(row.open_cves == null ? {} : { openCves: row.open_cves }),
    fix: fixOf(row),
    ...(feedRoles.leading.includes(row.feed_id) ? { leads: true as const } : {}),
    withdrawn: row.withdrawn,
    builds: { architectures: row.architectures ?? [], module: row.module, line: row.line },
    ...(row.names === null ? {} : { names: row.names }),
    knownExploited: row.known_exploited,
    firstSeenAt: row.known_since,
    ...overrideOf(row),
  };
}

/** A row without a fixed version can have a key: that of a pending fix. */
function fixOf(row: StatementRow): StatementFix {
  const { fixed_version: version, fixed_key: key } = row;
  if (version !== null && key !== null) return { kind: 'fixed', version, service: row.fixed_service, key };
  const reason = row.unfixed_reason ?? 'no_fix';
  const pending = key === null ? {} : { pendingKey: key };
  return { kind: 'unfixed', reason, detail: row.unfixed_detail, ...pending };
}

function overrideOf(row: StatementRow): Pick<Statement, 'override'> {
  const { override_reason: reason, override_source: source } = row;
  if (reason === null || source === null) return {};
  return { override: { fromKey: row.override_from, beforeKey: row.override_before, reason, source } };
}
