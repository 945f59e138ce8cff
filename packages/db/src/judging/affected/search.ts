import {
  type AdvisoryKey,
  type CvssScore,
  groupBy,
  type Severity,
  severities,
  type Workaround,
} from '@plimsoll/model';
import type pg from 'pg';
import { containsText, ifGiven, selectRows, whereAll } from '../../core/conditions.ts';
import { Prisma } from '../../generated/client.ts';

/** One record of one feed, aggregated over the packages it names. */
export interface AdvisoryRecord {
  readonly key: AdvisoryKey;
  readonly feedId: string;
  readonly externalId: string;
  readonly kind: 'vulnerability' | 'erratum';
  readonly title: string;
  readonly url: string;
  readonly publishedAt: Date | null;
  readonly modifiedAt: Date | null;
  readonly withdrawnAt: Date | null;
  /** Sorted, like `cves` and `releases`. */
  readonly aliases: readonly string[];
  readonly cves: readonly string[];
  readonly releases: readonly string[];
  readonly cvss: CvssScore | null;
  readonly workarounds: readonly Workaround[];
  readonly knownExploited: boolean;
  /** The highest EPSS score of its CVEs; null if EPSS has none of them. */
  readonly epss: number | null;
  /**
   * The worst severity of the packages it names, limited to the release in the filter if there is one; null if it names
   * no package.
   */
  readonly severity: Severity | null;
}

/** Filters for advisories; all that are given must match. */
export interface AdvisoryFilters {
  /** A part of the id, an alias, a CVE or the title, ignoring case. */
  readonly q?: string;
  readonly severity?: Severity;
  readonly knownExploited?: boolean;
  readonly feedId?: string;
  readonly release?: string;
  /** Only these advisories. */
  readonly among?: ReadonlyMap<AdvisoryKey, { readonly total: number }>;
}

/**
 * `published`: newest first, advisories without a date last. `severity` (worst first) and `hosts` (most first) require
 * `among`.
 */
export type AdvisoryOrder = 'published' | 'severity' | 'hosts';

/** The last advisory of a page; the next page starts after it. */
export interface AdvisoryCursor {
  readonly publishedAt: Date | null;
  /** Its position in the orders `severity` (counted from 1 as in SQL) and `hosts`; ignored in the order `published`. */
  readonly value: number;
  readonly key: AdvisoryKey;
}

/** A page of advisories in the given order. Ties are ordered by key, newest record first. */
export async function searchAdvisories(
  client: pg.Pool | pg.PoolClient,
  page: {
    readonly filters: AdvisoryFilters;
    readonly order: AdvisoryOrder;
    readonly limit: number;
    readonly after: AdvisoryCursor | null;
  },
): Promise<readonly AdvisoryRecord[]> {
  const { filters, limit, after } = page;
  if (page.order !== 'published') {
    const { among } = filters;
    if (among === undefined)
      throw new RangeError(`the order ${page.order} is only known among given advisories`);
    return searchByPlace(client, page.order, { filters: { ...filters, among }, limit, after });
  }
  const conditions = [...conditionsOf(filters), ...(after === null ? [] : [isBehind(after)])];
  const order = Prisma.sql`ORDER BY a.published_at DESC NULLS LAST, a.id DESC`;
  return readRecords(
    client,
    Prisma.sql`WITH a AS (SELECT a.* FROM ${sourceOf(filters)} a ${whereAll(conditions)} ${order} LIMIT ${limit})
      SELECT ${recordColumns(filters.release)} FROM a ${order}`,
  );
}

function isBehind({ publishedAt, key }: AdvisoryCursor): Prisma.Sql {
  return publishedAt === null
    ? Prisma.sql`a.published_at IS NULL AND a.id < ${key}::int`
    : Prisma.sql`(a.published_at IS NULL OR (a.published_at, a.id) < (${publishedAt}::timestamptz, ${key}::int))`;
}

/** searchAdvisories for an order without a column. */
function searchByPlace(
  client: pg.Pool | pg.PoolClient,
  order: Exclude<AdvisoryOrder, 'published'>,
  {
    filters,
    limit,
    after,
  }: {
    readonly filters: AdvisoryFilters & Required<Pick<AdvisoryFilters, 'among'>>;
    readonly limit: number;
    readonly after: AdvisoryCursor | null;
  },
): Promise<readonly AdvisoryRecord[]> {
  const { release } = filters;
  const place =
    order === 'hosts'
      ? Prisma.sql`-a.hosts`
      : Prisma.sql`coalesce(${rankOf(release)}, ${severities.length + 1}::int)`;
  const start =
    after === null
      ? Prisma.empty
      : Prisma.sql`WHERE (a.place, -a.id) > (${after.value}::int, -${after.key}::int)`;
  return readRecords(
    client,
    Prisma.sql`WITH found AS (
        SELECT a.*, ${place} AS place FROM ${sourceOf(filters)} a ${whereAll(conditionsOf(filters))}),
      a AS (SELECT * FROM found a ${start} ORDER BY a.place, a.id DESC LIMIT ${limit})
      SELECT ${recordColumns(release)} FROM a ORDER BY a.place, a.id DESC`,
  );
}

/** The number of advisories that match. */
export async function countAdvisories(
  client: pg.Pool | pg.PoolClient,
  filters: AdvisoryFilters,
): Promise<number> {
  const [row] = await selectRows<{ n: number }>(
    client,
    Prisma.sql`SELECT count(*)::int AS n FROM ${sourceOf(filters)} a ${whereAll(conditionsOf(filters))}`,
  );
  return row?.n ?? 0;
}

/** The records of every feed under a vendor's id, or about a CVE; newest first. */
export function findRecords(
  client: pg.Pool | pg.PoolClient,
  by: { readonly externalId: string } | { readonly cve: string },
): Promise<readonly AdvisoryRecord[]> {
  const condition =
    'cve' in by ? Prisma.sql`a.cves @> ARRAY[${by.cve}]` : Prisma.sql`a.external_id = ${by.externalId}`;
  return readRecords(
    client,
    Prisma.sql`SELECT ${recordColumns(undefined)} FROM advisories a WHERE ${condition}
      ORDER BY a.published_at DESC NULLS LAST, a.id DESC`,
  );
}

/** What vendors advise without a fix, in one text, by id of the advisory or by CVE; only of those with such an advice. */
export async function findWorkarounds(
  client: pg.Pool | pg.PoolClient,
  by: 'advisory' | 'cve',
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const given = Prisma.sql`${keys}::text[]`;
  const rows = await selectRows<{ readonly key: string; readonly workarounds: readonly Workaround[] }>(
    client,
    by === 'cve'
      ? Prisma.sql`SELECT cve AS key, a.workarounds FROM advisories a, unnest(a.cves) cve
          WHERE a.cves && ${given} AND cve = ANY (${given}) AND a.workarounds <> '[]' ORDER BY a.id`
      : Prisma.sql`SELECT a.external_id AS key, a.workarounds FROM feeds f JOIN advisories a ON a.feed_id = f.id
          WHERE a.external_id = ANY (${given}) AND a.workarounds <> '[]' ORDER BY a.id`,
  );
  const textOf = (own: typeof rows): string =>
    [...new Set(own.flatMap(({ workarounds }) => workarounds.map(({ text }) => text)))].join('\n\n');
  return new Map([...groupBy(rows, ({ key }) => key)].map(([key, own]) => [key, textOf(own)]));
}

/** The position of a severity, worst first, counted from 1 as in SQL. */
const severityRank = Prisma.raw(
  `array_position(ARRAY[${severities.map((word) => `'${word}'`).join(',')}], ap.severity)`,
);

/** The select list of an `AdvisoryRecord` from `a`; `release` limits its severity. */
function recordColumns(release: string | undefined): Prisma.Sql {
  return Prisma.sql`a.id AS key, a.feed_id AS "feedId", a.external_id AS "externalId", a.kind, a.title, a.url,
    a.published_at AS "publishedAt", a.modified_at AS "modifiedAt", a.withdrawn_at AS "withdrawnAt", a.aliases, a.cves,
    a.cvss_score AS "cvssScore", a.cvss_vector AS "cvssVector", a.workarounds, a.known_exploited AS "knownExploited",
    ARRAY(SELECT DISTINCT r.name FROM advisory_packages ap JOIN releases r ON r.id = ap.release_id
          WHERE ap.advisory_id = a.id ORDER BY r.name) AS releases,
    (SELECT max(c.epss) FROM cves c WHERE c.id = ANY (a.cves)) AS epss,
    ${rankOf(release)} AS rank`;
}

/** The worst severity of the packages that `a` names, limited to `release` if it is given. */
function rankOf(release: string | undefined): Prisma.Sql {
  return Prisma.sql`(SELECT min(${severityRank}) FROM advisory_packages ap
    ${whereAll([Prisma.sql`ap.advisory_id = a.id`, ...ifGiven(release, isOfRelease)])})`;
}

function isOfRelease(release: string): Prisma.Sql {
  return Prisma.sql`ap.release_id = (SELECT id FROM releases WHERE name = ${release}::text)`;
}

type RecordRow = Omit<AdvisoryRecord, 'cvss' | 'severity'> & {
  readonly cvssScore: number | null;
  readonly cvssVector: string | null;
  readonly rank: number | null;
};

async function readRecords(
  client: pg.Pool | pg.PoolClient,
  statement: Prisma.Sql,
): Promise<readonly AdvisoryRecord[]> {
  const rows = await selectRows<RecordRow>(client, statement);
  return rows.map(({ cvssScore, cvssVector, rank, ...row }) => ({
    ...row,
    cvss: cvssScore === null || cvssVector === null ? null : { score: cvssScore, vector: cvssVector },
    severity: rank === null ? null : (severities[rank - 1] ?? null),
  }));
}

/** The FROM item, with a column `hosts` if `among` is given. */
function sourceOf({ among }: AdvisoryFilters): Prisma.Sql {
  if (among === undefined) return Prisma.sql`advisories`;
  const totals = [...among.values()].map(({ total }) => total);
  return Prisma.sql`(SELECT a.*, r.hosts FROM unnest(${[...among.keys()]}::int[], ${totals}::int[]) AS r (id, hosts)
    JOIN advisories a ON a.id = r.id)`;
}

const searchedTexts = [
  'a.external_id',
  'a.title',
  `array_to_string(a.aliases, ' ')`,
  `array_to_string(a.cves, ' ')`,
];

function conditionsOf({
  q,
  severity,
  knownExploited,
  feedId,
  release,
}: AdvisoryFilters): readonly Prisma.Sql[] {
  return [
    ...ifGiven(feedId, (id) => Prisma.sql`a.feed_id = ${id}`),
    ...ifGiven(knownExploited, (wanted) => Prisma.sql`a.known_exploited = ${wanted}`),
    ...ifGiven(q, (part) => containsText(searchedTexts, part)),
    ...(severity === undefined && release === undefined ? [] : [hasStatements(severity, release)]),
  ];
}

/**
 * SQL: whether an advisory names a package, limited to `release` if it is given, and `severity` is the worst of them if
 * it is given.
 */
function hasStatements(severity: Severity | undefined, release: string | undefined): Prisma.Sql {
  const worst =
    severity === undefined
      ? Prisma.empty
      : Prisma.sql`HAVING min(${severityRank}) = ${severities.indexOf(severity) + 1}`;
  return Prisma.sql`a.id IN (SELECT ap.advisory_id FROM advisory_packages ap
    ${whereAll(ifGiven(release, isOfRelease))} GROUP BY ap.advisory_id ${worst})`;
}
