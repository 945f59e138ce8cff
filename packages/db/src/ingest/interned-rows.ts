import { createHash } from 'node:crypto';
import { classifyPackage, rulesVersion, verdictOf } from '@plimsoll/advisories';
import type { PackageVersionIdentity, Release, Upgrade, Verdict } from '@plimsoll/model';
import type { Database } from '../core/database.ts';
import { rowTable } from '../core/row-table.ts';
import type { EncodedPackageSet } from './package-set.ts';
import type { InternedRelease, ReleaseFacts } from './releases.ts';

/** The result of classifying a package version. */
export interface ClassifiedPackageVersion {
  /** Null if no advisory can be about it. */
  readonly matchName: string | null;
  readonly matchKey: Uint8Array | null;
  readonly verdict: Verdict;
  /** The version of the rules that classified it. */
  readonly rules: number;
}

/** Classifies a package version under the current rules, for storage. */
export function classifyVersion(
  identity: PackageVersionIdentity,
  release: Release,
): ClassifiedPackageVersion {
  const classification = classifyPackage({ ...identity, signingKey: '' }, release);
  const isComparable = classification.kind === 'comparable';
  return {
    matchName: isComparable ? classification.matchName : null,
    matchKey: isComparable ? classification.key : null,
    verdict: verdictOf(classification),
    rules: rulesVersion,
  };
}

/** A value of a release. */
export interface OfRelease<T> {
  readonly release: InternedRelease;
  readonly value: T;
}

/** An item that is not stored yet, with its digest. */
export interface Missing<T> {
  readonly digest: Buffer;
  readonly item: T;
}

/** The number of a stored row, with its digest. */
export interface IdRow {
  readonly id: number;
  readonly digest: Buffer;
}

/** The numbers of stored rows by digest. A condemned row does not count. */
export async function findIds(
  { pool }: Database,
  table: 'package_versions' | 'upgrades' | 'package_sets',
  digests: readonly Buffer[],
): Promise<readonly IdRow[]> {
  const { rows } = await pool.query<IdRow>({
    name: `find-${table}`,
    text: `SELECT id, digest FROM ${table} WHERE digest = ANY($1::bytea[]) AND NOT condemned`,
    values: [digests],
  });
  return rows;
}

/** The conflict clause of an insert: an existing row that is condemned is kept. */
function reprieve(table: 'upgrades' | 'package_sets'): string {
  return `ON CONFLICT (digest) DO UPDATE SET condemned = false WHERE ${table}.condemned`;
}

/** SQL: a release's name as the digest by which it is found. */
const nameAsDigest = `convert_to(name, 'UTF8') AS digest`;

/** What stands for the digest of a release: its name. */
export function nameDigestOf(name: string): Buffer {
  return Buffer.from(name, 'utf8');
}

/** The numbers of stored releases by name. A condemned release does not count. */
export async function findReleases({ pool }: Database, names: readonly Buffer[]): Promise<readonly IdRow[]> {
  const { rows } = await pool.query<IdRow>({
    name: 'find-releases',
    text: `SELECT id, ${nameAsDigest} FROM releases WHERE name = ANY($1::text[]) AND NOT condemned`,
    values: [names.map((name) => name.toString('utf8'))],
  });
  return rows;
}

/**
 * Stores the releases that another process has not stored meanwhile. Keeps a condemned one with its feed and rules version,
 * which imports and `applyCurrentRules` keep current.
 */
export async function insertReleases(
  { pool }: Database,
  missing: readonly Missing<ReleaseFacts>[],
): Promise<readonly IdRow[]> {
  const facts = missing.map(({ item }) => item);
  // The release may belong to a feed that has never been synced.
  await pool.query(
    `INSERT INTO feeds (id) SELECT DISTINCT f FROM unnest($1::text[]) AS f WHERE f IS NOT NULL ORDER BY f
     ON CONFLICT DO NOTHING`,
    [facts.map(({ feedId }) => feedId)],
  );
  const { table, columns, values } = rowTable(
    'name text, feed_id text?, ends_at timestamptz?, rules int',
    facts,
  );
  const { rows } = await pool.query<IdRow>(
    `INSERT INTO releases (${columns}) SELECT * FROM ${table} n
     ON CONFLICT (name) DO UPDATE SET condemned = false WHERE releases.condemned RETURNING id, ${nameAsDigest}`,
    values,
  );
  return rows;
}

/**
 * Classifies package versions and stores those that another process has not stored meanwhile, in their order, with their
 * arrival: they are not matched yet. Keeps stored ones that are condemned.
 */
export async function insertPackageVersions(
  { pool }: Database,
  missing: readonly Missing<OfRelease<PackageVersionIdentity>>[],
): Promise<readonly IdRow[]> {
  const { table, columns, values } = rowTable(
    `digest bytea, release_id int, name text, architecture text, version text, source_name text, source_version text,
     vendor text, suite text, module text, unfinished text?, match_name text?, match_key bytea?, verdict jsonb, rules int`,
    missing.map(({ digest, item: { release, value } }) => ({
      digest,
      releaseId: release.id,
      ...value,
      unfinished: value.unfinished ?? null,
      ...classifyVersion(value, release.name),
    })),
  );
  const { rows } = await pool.query<IdRow>({
    name: 'insert-package-versions',
    text: `WITH reprieved AS (
       UPDATE package_versions SET condemned = false WHERE digest = ANY($1::bytea[]) AND condemned RETURNING id, digest),
     stored AS (
       INSERT INTO package_versions (${columns}) SELECT * FROM ${table} n
       ON CONFLICT (digest) DO NOTHING RETURNING id, digest),
     arrived AS (INSERT INTO version_arrivals (ids) SELECT array_agg(id) FROM stored HAVING count(*) > 0)
     SELECT id, digest FROM reprieved UNION ALL SELECT id, digest FROM stored`,
    values,
  });
  return rows;
}

/** Stores the upgrades that another process has not stored meanwhile, in their order. */
export async function insertUpgrades(
  { pool }: Database,
  missing: readonly Missing<OfRelease<Upgrade>>[],
): Promise<readonly IdRow[]> {
  const { table, columns, values } = rowTable(
    `digest bytea, release_id int, name text, architecture text, installed_version text, candidate_version text,
     repository text, is_security bool, held bool, phased bool, source_name text, source_version text, suite text,
     origin text, advisory_ids text[]`,
    missing.map(({ digest, item: { release, value } }) => ({ digest, releaseId: release.id, ...value })),
  );
  const { rows } = await pool.query<IdRow>({
    name: 'insert-upgrades',
    text: `INSERT INTO upgrades (${columns}) SELECT * FROM ${table} n
     ${reprieve('upgrades')} RETURNING id, digest`,
    values,
  });
  return rows;
}

/** The numbers of package sets, in their order; stores missing ones, in the order of their digests. */
export async function internPackageSets(
  db: Database,
  sets: readonly EncodedPackageSet[],
): Promise<readonly number[]> {
  const wanted = new Map(sets.map((set) => [set.digest.toString('latin1'), set]));
  const ids = new Map<string, number>();
  // What another process has stored meanwhile can be condemned or deleted before it is found: then it is stored again.
  for (let tries = 0; ids.size < wanted.size; tries++) {
    if (tries === mostTries) throw new Error('a package set was stored and not found again');
    const left = [...wanted].flatMap(([digest, set]) => (ids.has(digest) ? [] : [set]));
    for (const { id, digest } of await storeOrFindSets(db, left)) ids.set(digest.toString('latin1'), id);
  }
  return sets.map(({ digest }) => ids.get(digest.toString('latin1')) ?? 0); // Every set was found above.
}

/** How often rows are stored that are not found afterwards. */
export const mostTries = 5;

async function storeOrFindSets(db: Database, sets: readonly EncodedPackageSet[]): Promise<readonly IdRow[]> {
  const sorted = [...sets].sort((a, b) => Buffer.compare(a.digest, b.digest));
  const { table, values } = rowTable('digest bytea, size int, ids bytea', sorted);
  const { rows } = await db.pool.query<IdRow>({
    name: 'intern-package-sets',
    text: `WITH wanted AS MATERIALIZED (SELECT * FROM ${table} n),
       found AS MATERIALIZED (
         SELECT id, digest FROM package_sets WHERE digest = ANY($1::bytea[]) AND NOT condemned),
       stored AS (
         INSERT INTO package_sets (digest, n, ids)
         SELECT digest, size, ids FROM wanted WHERE digest NOT IN (SELECT digest FROM found) ORDER BY digest
         ${reprieve('package_sets')} RETURNING id, digest)
       SELECT id, digest FROM found UNION ALL SELECT id, digest FROM stored`,
    values,
  });
  const known = new Set(rows.map(({ digest }) => digest.toString('latin1')));
  // Another process stored these meanwhile.
  const missed = sorted.filter(({ digest }) => !known.has(digest.toString('latin1')));
  if (missed.length === 0) return rows;
  const found = await findIds(
    db,
    'package_sets',
    missed.map(({ digest }) => digest),
  );
  return [...rows, ...found];
}

/** A text that only equal package versions of a release share; their row is found by its digest. */
export function packageText(release: Release, identity: PackageVersionIdentity): string {
  return textOf([
    release,
    identity.name,
    identity.architecture,
    identity.version,
    identity.sourceName,
    identity.sourceVersion,
    identity.vendor,
    identity.suite,
    identity.module,
    ...(identity.unfinished == null ? [] : ['unfinished', identity.unfinished]),
  ]);
}

/** A text that only equal upgrades of a release share; their row is found by its digest. */
export function upgradeText(release: Release, upgrade: Upgrade): string {
  return textOf([
    release,
    upgrade.name,
    upgrade.architecture,
    upgrade.installedVersion,
    upgrade.candidateVersion,
    upgrade.repository,
    String(upgrade.isSecurity),
    String(upgrade.held),
    String(upgrade.phased),
    upgrade.sourceName,
    upgrade.sourceVersion,
    upgrade.suite,
    upgrade.origin,
    upgrade.advisoryIds.join('\n'),
  ]);
}

/** Parts that hold no NUL as one text. */
function textOf(parts: readonly string[]): string {
  return parts.join('\0');
}

/** First 16 bytes of SHA-256 over a text. */
export function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest().subarray(0, 16);
}
