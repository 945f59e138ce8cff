import { type AdvisoryKey, type CvssScore, type Severity, severities } from '@plimsoll/model';
import type pg from 'pg';

/** One record of one feed, summed up over the packages it names. */
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
  /** Sorted, as the following. */
  readonly aliases: readonly string[];
  readonly cves: readonly string[];
  readonly releases: readonly string[];
  readonly cvss: CvssScore | null;
  readonly knownExploited: boolean;
  /** The highest of its CVEs; null where EPSS knows none of them. */
  readonly epss: number | null;
  /** The worst of the packages it names, of the release that was asked for where one was; null where it names none. */
  readonly severity: Severity | null;
}

/** Which advisories; every filter given must hold. */
export interface AdvisoryFilters {
  /** Part of the id, an alias, a CVE or the title, whatever its case. */
  readonly q?: string;
  readonly severity?: Severity;
  readonly knownExploited?: boolean;
  readonly feedId?: string;
  readonly release?: string;
  /** Only these. */
  readonly among?: ReadonlyMap<AdvisoryKey, { readonly total: number }>;
}

/** `published`: the newest first, those without a date last. The others are for `among`: worst first, most hosts first. */
export type AdvisoryOrder = 'published' | 'severity' | 'hosts';

/** The last advisory of a page: where the next one starts. */
export interface AdvisoryCursor {
  readonly publishedAt: Date | null;
  /** Its place in the orders `severity` (as SQL counts, from 1) and `hosts`; meaningless in the other. */
  readonly value: number;
  readonly key: AdvisoryKey;
}

/** A page of advisories in an order; those that are equal in it follow their key, the newest record first. */
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
  if (page.order !== 'published') return searchByPlace(client, page.order, page);
  const where = new Conditions(filters);
  if (after !== null) {
    const key = where.parameter(after.key);
    if (after.publishedAt === null) where.add(`a.published_at IS NULL AND a.id < ${key}::int`);
    else {
      const at = where.parameter(after.publishedAt);
      where.add(`(a.published_at IS NULL OR (a.published_at, a.id) < (${at}::timestamptz, ${key}::int))`);
    }
  }
  const order = 'ORDER BY a.published_at DESC NULLS LAST, a.id DESC';
  const text = `WITH a AS (SELECT a.* FROM ${where.source()} a ${where.clause()} ${order} LIMIT ${where.parameter(limit)})
    SELECT ${recordColumns(filters.release === undefined ? null : where.parameter(filters.release))} FROM a ${order}`;
  return readRecords(client, text, where.values);
}

/** The same in an order that is no column's. */
function searchByPlace(
  client: pg.Pool | pg.PoolClient,
  order: Exclude<AdvisoryOrder, 'published'>,
  { filters, limit, after }: Pick<Parameters<typeof searchAdvisories>[1], 'filters' | 'limit' | 'after'>,
): Promise<readonly AdvisoryRecord[]> {
  const where = new Conditions(filters);
  const release = filters.release === undefined ? null : where.parameter(filters.release);
  const place = order === 'hosts' ? '-a.hosts' : `coalesce(${rankOf(release)}, ${severities.length + 1})`;
  const start =
    after === null
      ? ''
      : `WHERE (a.place, -a.id) > (${where.parameter(after.value)}::int, -${where.parameter(after.key)}::int)`;
  const text = `WITH found AS (SELECT a.*, ${place} AS place FROM ${where.source()} a ${where.clause()}),
      a AS (SELECT * FROM found a ${start} ORDER BY a.place, a.id DESC LIMIT ${where.parameter(limit)})
    SELECT ${recordColumns(release)} FROM a ORDER BY a.place, a.id DESC`;
  return readRecords(client, text, where.values);
}

/** How many advisories there are. */
export async function countAdvisories(
  client: pg.Pool | pg.PoolClient,
  filters: AdvisoryFilters,
): Promise<number> {
  const where = new Conditions(filters);
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${where.source()} a ${where.clause()}`,
    [...where.values],
  );
  return rows[0]?.n ?? 0;
}

/** The records of every feed under a vendor's id, or about a CVE; newest first. */
export function findRecords(
  client: pg.Pool | pg.PoolClient,
  by: { readonly externalId: string } | { readonly cve: string },
): Promise<readonly AdvisoryRecord[]> {
  const [condition, value] =
    'cve' in by ? ['a.cves @> ARRAY[$1]', by.cve] : ['a.external_id = $1', by.externalId];
  return readRecords(
    client,
    `SELECT ${recordColumns(null)} FROM advisories a WHERE ${condition}
     ORDER BY a.published_at DESC NULLS LAST, a.id DESC`,
    [value],
  );
}

/** The place of a severity in the order, worst first, counted from 1 as SQL does. */
const severityRank = `array_position(ARRAY[${severities.map((word) => `'${word}'`).join(',')}], ap.severity)`;

/** The select list of an `AdvisoryRecord` of `a`; `release` is the parameter that narrows its severity. */
function recordColumns(release: string | null): string {
  return `a.id AS key, a.feed_id AS "feedId", a.external_id AS "externalId", a.kind, a.title, a.url,
    a.published_at AS "publishedAt", a.modified_at AS "modifiedAt", a.withdrawn_at AS "withdrawnAt", a.aliases, a.cves,
    a.cvss_score AS "cvssScore", a.cvss_vector AS "cvssVector", a.known_exploited AS "knownExploited",
    ARRAY(SELECT DISTINCT r.name FROM advisory_packages ap JOIN releases r ON r.id = ap.release_id
          WHERE ap.advisory_id = a.id ORDER BY r.name) AS releases,
    (SELECT max(c.epss) FROM cves c WHERE c.id = ANY (a.cves)) AS epss,
    ${rankOf(release)} AS rank`;
}

/** The worst severity of the packages that `a` names, in that release alone where one is asked for. */
function rankOf(release: string | null): string {
  const narrowed =
    release === null ? '' : `AND ap.release_id = (SELECT id FROM releases WHERE name = ${release}::text)`;
  return `(SELECT min(${severityRank}) FROM advisory_packages ap WHERE ap.advisory_id = a.id ${narrowed})`;
}

type RecordRow = Omit<AdvisoryRecord, 'cvss' | 'severity'> & {
  readonly cvssScore: number | null;
  readonly cvssVector: string | null;
  readonly rank: number | null;
};

async function readRecords(
  client: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[],
): Promise<readonly AdvisoryRecord[]> {
  const { rows } = await client.query<RecordRow>(text, [...values]);
  return rows.map(({ cvssScore, cvssVector, rank, ...row }) => ({
    ...row,
    cvss: cvssScore === null || cvssVector === null ? null : { score: cvssScore, vector: cvssVector },
    severity: rank === null ? null : (severities[rank - 1] ?? null),
  }));
}

class Conditions {
  readonly values: unknown[] = [];
  private readonly terms: string[] = [];

  private readonly from: string;

  constructor({ q, severity, knownExploited, feedId, release, among }: AdvisoryFilters) {
    this.from =
      among === undefined
        ? 'advisories'
        : `(SELECT a.*, r.hosts FROM unnest(${this.parameter([...among.keys()])}::int[],
             ${this.parameter([...among.values()].map(({ total }) => total))}::int[]) AS r (id, hosts)
           JOIN advisories a ON a.id = r.id)`;
    if (feedId !== undefined) this.add(`a.feed_id = ${this.parameter(feedId)}`);
    if (knownExploited !== undefined) this.add(`a.known_exploited = ${this.parameter(knownExploited)}`);
    if (q !== undefined) {
      const pattern = this.parameter(`%${q.replace(/[\\%_]/g, '\\$&')}%`);
      const texts = [
        'a.external_id',
        'a.title',
        `array_to_string(a.aliases, ' ')`,
        `array_to_string(a.cves, ' ')`,
      ];
      this.add(`(${texts.map((text) => `${text} ILIKE ${pattern}`).join(' OR ')})`);
    }
    if (severity !== undefined || release !== undefined) this.addStatements(severity, release);
  }

  add(term: string): void {
    this.terms.push(term);
  }

  parameter(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  /** What to select from, with a column `hosts` where the advisories are among some. */
  source(): string {
    return this.from;
  }

  clause(): string {
    return this.terms.length === 0 ? '' : `WHERE ${this.terms.join(' AND ')}`;
  }

  private addStatements(severity: Severity | undefined, release: string | undefined): void {
    const narrowed =
      release === undefined
        ? ''
        : `WHERE ap.release_id = (SELECT id FROM releases WHERE name = ${this.parameter(release)})`;
    const worst =
      severity === undefined
        ? ''
        : `HAVING min(${severityRank}) = ${this.parameter(severities.indexOf(severity) + 1)}`;
    this.add(
      `a.id IN (SELECT ap.advisory_id FROM advisory_packages ap ${narrowed} GROUP BY ap.advisory_id ${worst})`,
    );
  }
}
