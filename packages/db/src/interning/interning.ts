import { createHash } from 'node:crypto';
import type { PackageVersionId, PackageVersionIdentity, Release, Upgrade } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { Database } from '../database.ts';
import { classifyVersion, type ReleaseFacts } from './classify-version.ts';
import { readEpoch } from './interning-epoch.ts';
import { type EncodedPackageSet, encodePackageSet } from './package-set.ts';

/** A release and its number. */
export interface InternedRelease extends ReleaseFacts {
  readonly id: number;
}

/** Called before new rows are inserted, with their number. Rejects if they must not be inserted. */
export type AdmitNew = (entries: number) => Promise<void>;

/** Gives each distinct value in the fleet one number, the same in every process. */
export interface Interner {
  release(facts: ReleaseFacts): Promise<InternedRelease>;
  /** Starts interning under the current epoch. Its results may be stored under this epoch only. */
  begin(): Promise<Interning>;
}

/** Interns the contents of some snapshots under one epoch: see docs/decisions/0045. */
export interface Interning {
  readonly epoch: number;
  release(facts: ReleaseFacts): Promise<InternedRelease>;
  /** Ids in the order of `identities`. Classifies and stores missing ones after `admit` resolves. */
  packageVersions(
    release: InternedRelease,
    identities: readonly PackageVersionIdentity[],
    admit: AdmitNew,
  ): Promise<readonly PackageVersionId[]>;
  /** Ids in the order of `upgrades`. */
  upgrades(
    release: InternedRelease,
    upgrades: readonly Upgrade[],
    admit: AdmitNew,
  ): Promise<readonly number[]>;
  packageSet(ids: Iterable<PackageVersionId>): Promise<number>;
  /** By package name: the modules in which advisories of the release list it, sorted. */
  modulesOf(
    release: InternedRelease,
    names: readonly string[],
  ): Promise<ReadonlyMap<string, readonly string[]>>;
  /** By repository: the products that it ships. Repositories without known products have no entry. */
  productsOf(repositories: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** Entries per cache: three times the number needed for a fleet with 14 million installed packages. */
const cachedEntries = 200_000;

/**
 * Makes the interner of one process. Each insert is a separate statement, sorted by digest and outside any transaction,
 * so two processes that insert the same rows wait for each other without deadlock.
 */
export function createInterner(db: Database): Interner {
  const releases = new Map<string, InternedRelease>();
  const release = async (facts: ReleaseFacts): Promise<InternedRelease> => {
    const known = releases.get(facts.name);
    if (known !== undefined) return known;
    const interned = await internRelease(db, facts);
    releases.set(facts.name, interned);
    return interned;
  };
  let current: Interning | null = null;
  return {
    release,
    async begin() {
      const epoch = await readEpoch(db.pool);
      // Ids found under another epoch may be condemned, so each epoch has its own caches. An interning that began under
      // the old epoch keeps the old caches; storing its results is refused.
      if (current?.epoch !== epoch) current = { epoch, release, ...internDistinct(db) };
      return current;
    },
  };
}

/** Interns with new, empty caches. */
function internDistinct(db: Database): Omit<Interning, 'epoch' | 'release'> {
  const versions = new LRUCache<string, number>({ max: cachedEntries });
  const upgrades = new LRUCache<string, number>({ max: cachedEntries });
  const sets = new LRUCache<string, number>({ max: cachedEntries });
  return {
    async packageVersions(release, identities, admit) {
      const ids = await intern(versions, identities, (identity) => packageDigest(release.name, identity), {
        find: (digests) => findIds(db, 'package_versions', digests),
        insert: async (missing) => {
          await admit(missing.length);
          await insertPackageVersions(db, release, missing);
        },
      });
      return ids as PackageVersionId[]; // Numbers of package_versions rows.
    },
    upgrades: (release, offered, admit) =>
      intern(upgrades, offered, (upgrade) => upgradeDigest(release.name, upgrade), {
        find: (digests) => findIds(db, 'upgrades', digests),
        insert: async (missing) => {
          await admit(missing.length);
          await insertUpgrades(db, release, missing);
        },
      }),
    async packageSet(ids) {
      const [id] = await intern(sets, [encodePackageSet(ids)], (set) => set.digest, {
        find: (digests) => findIds(db, 'package_sets', digests),
        insert: (missing) => insertPackageSets(db, missing),
      });
      if (id === undefined) throw new Error('a package set was interned without an id');
      return id;
    },
    modulesOf: (release, names) => loadModules(db, release, names),
    productsOf: (repositories) => loadProducts(db, repositories),
  };
}

async function loadModules(
  { pool }: Database,
  release: InternedRelease,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (names.length === 0) return new Map();
  const { rows } = await pool.query<{ name: string; modules: readonly string[] }>(
    `SELECT name, array_agg(DISTINCT split_part(module, ':', 1)) AS modules FROM advisory_packages
     WHERE release_id = $1 AND name = ANY($2::text[]) AND module <> '' GROUP BY name`,
    [release.id, names],
  );
  return new Map(rows.map(({ name, modules }) => [name, [...modules].sort()]));
}

async function loadProducts(
  { pool }: Database,
  repositories: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (repositories.length === 0) return new Map();
  const { rows } = await pool.query<{ repository: string; products: readonly string[] }>(
    'SELECT repository, products FROM repository_products WHERE repository = ANY($1::text[])',
    [repositories],
  );
  return new Map(rows.map(({ repository, products }) => [repository, products] as const));
}

interface Missing<T> {
  readonly digest: Buffer;
  readonly item: T;
}

interface IdRow {
  readonly id: number;
  readonly digest: Buffer;
}

async function intern<T>(
  cache: LRUCache<string, number>,
  items: readonly T[],
  digestOf: (item: T) => Buffer,
  table: {
    find: (digests: readonly Buffer[]) => Promise<readonly IdRow[]>;
    insert: (missing: readonly Missing<T>[]) => Promise<void>;
  },
): Promise<number[]> {
  const digests = items.map(digestOf);
  const keys = digests.map((digest) => digest.toString('latin1'));
  const found = new Map<string, number>();
  const unknown = new Map<string, Missing<T>>();
  for (const [index, key] of keys.entries()) {
    const id = cache.get(key);
    if (id !== undefined) found.set(key, id);
    // Index is one of items and digests by construction.
    else unknown.set(key, { digest: digests[index] as Buffer, item: items[index] as T });
  }
  const remember = (rows: readonly IdRow[]) => {
    for (const row of rows) {
      const key = row.digest.toString('latin1');
      cache.set(key, row.id);
      found.set(key, row.id);
      unknown.delete(key);
    }
  };
  if (unknown.size > 0) remember(await table.find([...unknown.values()].map(({ digest }) => digest)));
  if (unknown.size > 0) {
    const missing = [...unknown.values()].sort((a, b) => Buffer.compare(a.digest, b.digest));
    await table.insert(missing);
    remember(await table.find(missing.map(({ digest }) => digest)));
  }
  return keys.map((key) => {
    const id = found.get(key);
    if (id === undefined) throw new Error('an interned row was not found again');
    return id;
  });
}

async function findIds(
  { pool }: Database,
  table: 'package_versions' | 'upgrades' | 'package_sets',
  digests: readonly Buffer[],
): Promise<readonly IdRow[]> {
  return (
    await pool.query<IdRow>(
      `SELECT id, digest FROM ${table} WHERE digest = ANY($1::bytea[]) AND NOT condemned`,
      [digests],
    )
  ).rows;
}

/** The conflict clause of an insert: an existing row that is condemned is kept. */
function reprieve(table: 'package_versions' | 'upgrades' | 'package_sets'): string {
  return `ON CONFLICT (digest) DO UPDATE SET condemned = false WHERE ${table}.condemned`;
}

async function internRelease({ pool }: Database, facts: ReleaseFacts): Promise<InternedRelease> {
  // The release may belong to a feed that has never been synced.
  await pool.query(
    'INSERT INTO feeds (id) SELECT $1::text WHERE $1::text IS NOT NULL ON CONFLICT DO NOTHING',
    [facts.feedId],
  );
  const { rows } = await pool.query<{ id: number }>(
    // An existing release keeps its feed, because imports assign the freshest one, and its rules version, because it
    // also covers the counts of its hosts.
    `INSERT INTO releases (name, feed_id, ends_at, rules) VALUES ($1, $2, $3, $4)
     ON CONFLICT (name) DO UPDATE SET feed_id = coalesce(releases.feed_id, excluded.feed_id), ends_at = excluded.ends_at
     RETURNING id`,
    [facts.name, facts.feedId, facts.endsAt, facts.rules],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('an upsert returned no row');
  return { ...facts, id };
}

async function insertPackageVersions(
  { pool }: Database,
  release: InternedRelease,
  missing: readonly Missing<PackageVersionIdentity>[],
): Promise<void> {
  const classified = missing.map(({ item }) => classifyVersion(item, release.name));
  await pool.query(
    `INSERT INTO package_versions (release_id, digest, name, architecture, version, source_name, source_version, vendor,
                                   suite, module, match_name, match_key, verdict, rules)
     SELECT $1, * FROM unnest($2::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                              $9::text[], $10::text[], $11::text[], $12::bytea[], $13::jsonb[], $14::int[])
     ${reprieve('package_versions')}`,
    [
      release.id,
      missing.map(({ digest }) => digest),
      missing.map(({ item }) => item.name),
      missing.map(({ item }) => item.architecture),
      missing.map(({ item }) => item.version),
      missing.map(({ item }) => item.sourceName),
      missing.map(({ item }) => item.sourceVersion),
      missing.map(({ item }) => item.vendor),
      missing.map(({ item }) => item.suite),
      missing.map(({ item }) => item.module),
      classified.map(({ matchName }) => matchName),
      classified.map(({ matchKey }) => (matchKey === null ? null : Buffer.from(matchKey))),
      classified.map(({ verdict }) => JSON.stringify(verdict)),
      classified.map(({ rules }) => rules),
    ],
  );
}

async function insertUpgrades(
  { pool }: Database,
  release: InternedRelease,
  missing: readonly Missing<Upgrade>[],
): Promise<void> {
  await pool.query(
    `INSERT INTO upgrades (release_id, digest, name, architecture, installed_version, candidate_version, repository,
                           is_security, held, phased, source_name, source_version, suite, origin, advisory_ids)
     SELECT $1, digest, name, architecture, installed_version, candidate_version, repository, is_security, held, phased,
            source_name, source_version, suite, origin, coalesce(string_to_array(nullif(advisory_ids, ''), E'\\n'), '{}')
     FROM unnest($2::bytea[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bool[], $9::bool[],
                 $10::bool[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[])
       AS u (digest, name, architecture, installed_version, candidate_version, repository, is_security, held, phased,
             source_name, source_version, suite, origin, advisory_ids)
     ${reprieve('upgrades')}`,
    [
      release.id,
      missing.map(({ digest }) => digest),
      missing.map(({ item }) => item.name),
      missing.map(({ item }) => item.architecture),
      missing.map(({ item }) => item.installedVersion),
      missing.map(({ item }) => item.candidateVersion),
      missing.map(({ item }) => item.repository),
      missing.map(({ item }) => item.isSecurity),
      missing.map(({ item }) => item.held),
      missing.map(({ item }) => item.phased),
      missing.map(({ item }) => item.sourceName),
      missing.map(({ item }) => item.sourceVersion),
      missing.map(({ item }) => item.suite),
      missing.map(({ item }) => item.origin),
      missing.map(({ item }) => item.advisoryIds.join('\n')),
    ],
  );
}

async function insertPackageSets(
  { pool }: Database,
  missing: readonly Missing<EncodedPackageSet>[],
): Promise<void> {
  await pool.query(
    `INSERT INTO package_sets (digest, n, ids) SELECT * FROM unnest($1::bytea[], $2::int[], $3::bytea[])
     ${reprieve('package_sets')}`,
    [
      missing.map(({ digest }) => digest),
      missing.map(({ item }) => item.size),
      missing.map(({ item }) => item.ids),
    ],
  );
}

function packageDigest(release: Release, identity: PackageVersionIdentity): Buffer {
  return digestOf([
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

function upgradeDigest(release: Release, upgrade: Upgrade): Buffer {
  return digestOf([
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

/** First 16 bytes of SHA-256 over parts that hold no NUL. */
function digestOf(parts: readonly string[]): Buffer {
  return createHash('sha256').update(parts.join('\0')).digest().subarray(0, 16);
}
