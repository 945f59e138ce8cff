import type { PgTransaction } from '../core/database.ts';

const advisoryContent = [
  'kind',
  'title',
  'url',
  'published_at',
  'withdrawn_at',
  'aliases',
  'cves',
  'cvss_score',
  'cvss_vector',
] as const;

/** What a record itself says of a package. Its severity here can be derived from other records. */
const statedContent = [
  'fixed_version',
  'fixed_key',
  'fixed_service',
  'unfixed_reason',
  'unfixed_detail',
  'cves',
] as const;

const of = (alias: string, columns: readonly string[]) =>
  columns.map((column) => `${alias}.${column}`).join(', ');

/** SQL: whether a stored advisory `stored` has other content than `other`. A new export alone is no change. */
export function advisoryDiffers(stored: string, other: string): string {
  return `(${of(stored, advisoryContent)}) IS DISTINCT FROM (${of(other, advisoryContent)})`;
}

/**
 * SQL: whether a stored statement `stored` has other content than `other`, whose columns `severity` and
 * `severity_source` are the stated ones.
 */
export function statementDiffers(stored: string, other: string): string {
  return `(${stored}.stated_severity, ${stored}.stated_source, ${of(stored, statedContent)})
    IS DISTINCT FROM (${other}.severity, ${other}.severity_source, ${of(other, statedContent)})`;
}

/** SQL: whether two rows of the same statement say the same themselves; their severities can be derived otherwise. */
export function saysTheSame(one: string, other: string): string {
  const stated = ['stated_severity', 'stated_source', ...statedContent];
  return `(${of(one, stated)}) IS NOT DISTINCT FROM (${of(other, stated)})`;
}

/** The columns that `advisories` and `past_advisories` have in common, besides `id` and `since`. */
const advisoryColumns = ['feed_id', 'external_id', 'modified_at', ...advisoryContent];
/** The columns that `advisory_packages` and `past_statements` have in common, besides `id` and `since`. */
export const statementColumns = [
  'advisory_id',
  'release_id',
  'name',
  'severity',
  'severity_source',
  'stated_severity',
  'stated_source',
  ...statedContent,
  'architectures',
  'module',
  'line',
  'names',
  'builds',
  'first_seen_at',
];

/** SQL: stores statements of `advisory_packages ap` as past ones, with the time of the change as parameter `at`. */
export function insertPastStatements(at: string, source: string): string {
  return `INSERT INTO past_statements (id, since, until, ${statementColumns.join(', ')})
    SELECT ap.id, ap.since, ${at}, ${of('ap', statementColumns)} ${source}`;
}

const insertPastAdvisories = (source: string) =>
  `INSERT INTO past_advisories (id, since, until, ${advisoryColumns.join(', ')})
   SELECT a.id, a.since, $1, ${of('a', advisoryColumns)} ${source}`;

/** Keeps the content of records and statements that the staged ones change. */
export async function keepReplaced(tx: PgTransaction, at: Date): Promise<void> {
  await tx.query(
    insertPastAdvisories(`FROM staged_advisories s JOIN advisories a USING (feed_id, external_id)
      WHERE a.since < $1 AND ${advisoryDiffers('a', 's')}`),
    [at],
  );
  await tx.query(
    insertPastStatements(
      '$1',
      `FROM staged_packages p JOIN advisories a USING (feed_id, external_id)
       -- One lookup by the unique key per staged statement: the planner otherwise reads all statements about each package,
       -- which takes half a minute with all records of Debian.
       CROSS JOIN LATERAL (
         SELECT * FROM advisory_packages s WHERE s.advisory_id = a.id AND s.release_id = p.release_id AND s.name = p.name
           AND s.builds = p.builds OFFSET 0) ap
       WHERE ap.since < $1 AND ${statementDiffers('ap', 'p')}`,
    ),
    [at],
  );
}

/** Keeps records that are about to be deleted, with their statements. @param ids of `advisories`. */
export async function keepDeletedAdvisories(
  tx: PgTransaction,
  at: Date,
  ids: readonly number[],
): Promise<void> {
  await tx.query(insertPastAdvisories('FROM advisories a WHERE a.id = ANY($2::int[]) AND a.since < $1'), [
    at,
    ids,
  ]);
  await tx.query(
    insertPastStatements(
      '$1',
      'FROM advisory_packages ap WHERE ap.advisory_id = ANY($2::int[]) AND ap.since < $1',
    ),
    [at, ids],
  );
}

/** Keeps statements that are about to be deleted. @param ids of `advisory_packages`. */
export async function keepDeletedStatements(
  tx: PgTransaction,
  at: Date,
  ids: readonly number[],
): Promise<void> {
  await tx.query(
    insertPastStatements('$1', 'FROM advisory_packages ap WHERE ap.id = ANY($2::int[]) AND ap.since < $1'),
    [at, ids],
  );
}
