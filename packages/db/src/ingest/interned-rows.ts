import { createHash } from 'node:crypto';
import { classifyPackage, rulesVersion, verdictOf } from '@plimsoll/advisories';
import type { PackageVersionIdentity, Release, Upgrade, Verdict } from '@plimsoll/model';
import type { Database } from '../core/database.ts';
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
  const { rows } = await pool.query<IdRow>(
    `INSERT INTO releases (name, feed_id, ends_at, rules)
     SELECT * FROM unnest($1::text[], $2::text[], $3::timestamptz[], $4::int[])
     ON CONFLICT (name) DO UPDATE SET condemned = false WHERE releases.condemned RETURNING id, ${nameAsDigest}`,
    [
      facts.map(({ name }) => name),
      facts.map(({ feedId }) => feedId),
      facts.map(({ endsAt }) => endsAt),
      facts.map(({ rules }) => rules),
    ],
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
  const values = missing.map(({ item }) => item.value);
  const classified = missing.map(({ item }) => classifyVersion(item.value, item.release.name));
  const { rows } = await pool.query<IdRow>({
    name: 'insert-package-versions',
    text: `WITH reprieved AS (
       UPDATE package_versions SET condemned = false WHERE digest = ANY($2::bytea[]) AND condemned RETURNING id, digest),
     stored AS (
       INSERT INTO package_versions (release_id, digest, name, architecture, version, source_name, source_version, vendor,
                                     suite, module, match_name, match_key, verdict, rules)
       SELECT * FROM unnest($1::int[], $2::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                            $9::text[], $10::text[], $11::text[], $12::bytea[], $13::jsonb[], $14::int[])
       ON CONFLICT (digest) DO NOTHING RETURNING id, digest),
     arrived AS (INSERT INTO version_arrivals (ids) SELECT array_agg(id) FROM stored HAVING count(*) > 0)
     SELECT id, digest FROM reprieved UNION ALL SELECT id, digest FROM stored`,
    values: [
      missing.map(({ item }) => item.release.id),
      missing.map(({ digest }) => digest),
      values.map(({ name }) => name),
      values.map(({ architecture }) => architecture),
      values.map(({ version }) => version),
      values.map(({ sourceName }) => sourceName),
      values.map(({ sourceVersion }) => sourceVersion),
      values.map(({ vendor }) => vendor),
      values.map(({ suite }) => suite),
      values.map(({ module }) => module),
      classified.map(({ matchName }) => matchName),
      classified.map(({ matchKey }) => (matchKey === null ? null : Buffer.from(matchKey))),
      classified.map(({ verdict }) => JSON.stringify(verdict)),
      classified.map(({ rules }) => rules),
    ],
  });
  return rows;
}

/** Stores the upgrades that another process has not stored meanwhile, in their order. */
export async function insertUpgrades(
  { pool }: Database,
  missing: readonly Missing<OfRelease<Upgrade>>[],
): Promise<readonly IdRow[]> {
  const values = missing.map(({ item }) => item.value);
  const { rows } = await pool.query<IdRow>({
    name: 'insert-upgrades',
    text: `INSERT INTO upgrades (release_id, digest, name, architecture, installed_version, candidate_version, repository,
                           is_security, held, phased, source_name, source_version, suite, origin, advisory_ids)
     SELECT release_id, digest, name, architecture, installed_version, candidate_version, repository, is_security, held,
            phased, source_name, source_version, suite, origin,
            coalesce(string_to_array(nullif(advisory_ids, ''), E'\\n'), '{}')
     FROM unnest($1::int[], $2::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bool[],
                 $9::bool[], $10::bool[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
       AS u (release_id, digest, name, architecture, installed_version, candidate_version, repository, is_security, held,
             phased, source_name, source_version, suite, origin, advisory_ids)
     ${reprieve('upgrades')} RETURNING id, digest`,
    values: [
      missing.map(({ item }) => item.release.id),
      missing.map(({ digest }) => digest),
      values.map(({ name }) => name),
      values.map(({ architecture }) => architecture),
      values.map(({ installedVersion }) => installedVersion),
      values.map(({ candidateVersion }) => candidateVersion),
      values.map(({ repository }) => repository),
      values.map(({ isSecurity }) => isSecurity),
      values.map(({ held }) => held),
      values.map(({ phased }) => phased),
      values.map(({ sourceName }) => sourceName),
      values.map(({ sourceVersion }) => sourceVersion),
      values.map(({ suite }) => suite),
      values.map(({ origin }) => origin),
      values.map(({ advisoryIds }) => advisoryIds.join('\n')),
    ],
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
  const { rows } = await db.pool.query<IdRow>({
    name: 'intern-package-sets',
    text: `WITH wanted AS MATERIALIZED (SELECT * FROM unnest($1::bytea[], $2::int[], $3::bytea[]) AS w (digest, n, ids)),
       found AS MATERIALIZED (
         SELECT id, digest FROM package_sets WHERE digest = ANY($1::bytea[]) AND NOT condemned),
       stored AS (
         INSERT INTO package_sets (digest, n, ids)
         SELECT digest, n, ids FROM wanted WHERE digest NOT IN (SELECT digest FROM found) ORDER BY digest
         ${reprieve('package_sets')} RETURNING id, digest)
       SELECT id, digest FROM found UNION ALL SELECT id, digest FROM stored`,
    values: [
      sorted.map(({ digest }) => digest),
      sorted.map(({ size }) => size),
      sorted.map(({ ids }) => ids),
    ],
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
