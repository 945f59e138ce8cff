import { createHash } from 'node:crypto';
import type { MirrorRule } from '@plimsoll/advisories';
import type { HostId, PackageVersionId, PackageVersionIdentity, Upgrade } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { Database, PgTransaction } from '../core/database.ts';
import { gatherCalls } from '../core/gather-calls.ts';
import {
  digestOf,
  findIds,
  findReleases,
  insertPackageVersions,
  insertReleases,
  insertUpgrades,
  internPackageSets,
  nameDigestOf,
  type OfRelease,
  packageText,
  upgradeText,
} from './interned-rows.ts';
import { decodePackageSet, type EncodedPackageSet, encodePackageSet } from './package-set.ts';
import type { InternedRelease, ReleaseFacts } from './releases.ts';
import { type AdmitNew, RowIds } from './row-ids.ts';

/** Gives each distinct value in the fleet one number, the same in every process. */
export interface Interner {
  /** Starts interning under the current epoch. Its results may be stored under this epoch only. */
  begin(): Promise<Interning>;
}

/** Interns the contents of some snapshots under one epoch: see docs/decisions/interning.md. */
export interface Interning {
  readonly epoch: number;
  /** The release with its id. Stores a missing one after `admit` resolves. */
  release(facts: ReleaseFacts, admit: AdmitNew): Promise<InternedRelease>;
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
  /** The rules of origins for a host, in their order. */
  originRulesOf(hostId: HostId): Promise<readonly MirrorRule[]>;
  /** What the host's last snapshot before a time has installed; empty if that was of another release. */
  packagesBefore(hostId: HostId, release: InternedRelease, at: Date): Promise<readonly PackageBefore[]>;
}

/** A package of an earlier snapshot. */
export interface PackageBefore extends Pick<PackageVersionIdentity, 'name' | 'architecture' | 'version'> {
  readonly id: PackageVersionId;
  /** As in PackageVersionIdentity. */
  readonly unfinished: string | null;
}

/**
 * Estimated bytes per cache, enough for 300,000 keys of 80 characters: four times the number needed for a fleet with 14
 * million installed packages. A number of entries would be no bound, and memory for all of them would be taken at once.
 */
const cachedBytes = 64 * 1024 * 1024;
/** What an entry takes besides the characters of its key. */
const bytesOfEntry = 140;
/** Characters of one key: hosts can send updates with megabytes of text. */
const longestKey = 1_024;

/** Releases whose objects are remembered: hosts can report any number of them. */
const mostReleases = 500;
/** Package sets stored together. */
const setsPerStatement = 50;

/** Makes a cache of ids by texts. It does not keep long texts. */
export function createIdCache(): LRUCache<string, number> {
  return new LRUCache({
    maxSize: cachedBytes,
    maxEntrySize: longestKey + bytesOfEntry,
    sizeCalculation: (_id, key) => key.length + bytesOfEntry,
  });
}

/**
 * Makes the interner of one process. Each insert is a separate statement, sorted by digest and outside any transaction,
 * so two processes that insert the same rows wait for each other without deadlock.
 */
export function createInterner(db: Database): Interner {
  return internerWith(db);
}

/** Something is not stored that must be stored before. */
export class NotInterned extends Error {
  override readonly name = 'NotInterned';
}

/** An interner that stores package sets only: callers must admit no other new rows. */
export function createSetInterner(db: Database): Interner {
  // Storing under an old epoch is refused, so the epoch need not be read for each upload.
  return internerWith(db, epochKeptMs);
}

/** How long an epoch that was read is used, in milliseconds. */
const epochKeptMs = 1_000;

function internerWith(db: Database, keptMs = 0): Interner {
  const currentEpoch = gatherCalls<null, number>({
    async run(calls) {
      const epoch = await readEpoch(db.pool);
      return calls.map(() => epoch);
    },
    most: 1_000,
    runsAtOnce: 1,
  });
  let current: Interning | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  return {
    async begin() {
      if (current !== null && performance.now() < readAt + keptMs) return current;
      const epoch = await currentEpoch(null);
      readAt = performance.now();
      // Ids found under another epoch may be condemned, so each epoch has its own caches. An interning that began under
      // the old epoch keeps the old caches; storing its results is refused.
      if (current?.epoch !== epoch) current = { epoch, ...internDistinct(db) };
      return current;
    },
  };
}

/** Interns with new, empty caches. */
function internDistinct(db: Database): Omit<Interning, 'epoch'> {
  const releases = new RowIds<ReleaseFacts>(
    { find: (names) => findReleases(db, names), insert: (rows) => insertReleases(db, rows) },
    createIdCache(),
  );
  const versions = new RowIds<OfRelease<PackageVersionIdentity>>(
    {
      find: (digests) => findIds(db, 'package_versions', digests),
      insert: (rows) => insertPackageVersions(db, rows),
    },
    createIdCache(),
  );
  const upgrades = new RowIds<OfRelease<Upgrade>>(
    {
      find: (digests) => findIds(db, 'upgrades', digests),
      insert: (rows) => insertUpgrades(db, rows),
    },
    createIdCache(),
  );
  const sets = createIdCache();
  const versionsByObject = idsByObject<PackageVersionIdentity>();
  const upgradesByObject = idsByObject<Upgrade>();
  const internSet = gatherCalls<EncodedPackageSet, number>({
    run: (wanted) => internPackageSets(db, wanted),
    most: setsPerStatement,
    runsAtOnce: 1,
  });
  return {
    async release(facts, admit) {
      const [id = 0] = await releases.idsOf([facts], [facts.name], nameDigestOf, admit); // One of each item.
      return { ...facts, id };
    },
    async packageVersions(release, identities, admit) {
      const ids = await versionsByObject(release, identities, (missing) =>
        versions.idsOf(
          missing.map((value) => ({ release, value })),
          missing.map((identity) => packageText(release.name, identity)),
          digestOf,
          admit,
        ),
      );
      return ids as PackageVersionId[]; // Numbers of package_versions rows.
    },
    upgrades: (release, offered, admit) =>
      upgradesByObject(release, offered, (missing) =>
        upgrades.idsOf(
          missing.map((value) => ({ release, value })),
          missing.map((upgrade) => upgradeText(release.name, upgrade)),
          digestOf,
          admit,
        ),
      ),
    async packageSet(ids) {
      const set = encodePackageSet(ids);
      const key = set.digest.toString('latin1');
      const known = sets.get(key);
      if (known !== undefined) return known;
      const id = await internSet(set);
      sets.set(key, id);
      return id;
    },
    modulesOf: (release, names) => loadModules(db, release, names),
    productsOf: (repositories) => loadProducts(db, repositories),
    originRulesOf: (hostId) => loadOriginRules(db, hostId),
    packagesBefore: (hostId, release, at) => loadPackagesBefore(db, hostId, release, at),
  };
}

/**
 * Remembers the ids of objects: decoding returns the same ones for packages and updates that other hosts have, too. Ids
 * in the order of `items`; `find` gets those without one.
 */
function idsByObject<Item extends object>(): (
  release: InternedRelease,
  items: readonly Item[],
  find: (missing: readonly Item[]) => Promise<readonly number[]>,
) => Promise<number[]> {
  const byRelease = new LRUCache<number, WeakMap<Item, number>>({ max: mostReleases });
  return async ({ id }, items, find) => {
    const known = byRelease.get(id) ?? new WeakMap<Item, number>();
    byRelease.set(id, known);
    const missing = items.filter((item) => !known.has(item));
    if (missing.length > 0) {
      const found = await find(missing);
      for (const [index, item] of missing.entries()) known.set(item, found[index] ?? 0);
    }
    return items.map((item) => known.get(item) ?? 0);
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

async function loadOriginRules({ pool }: Database, hostId: HostId): Promise<readonly MirrorRule[]> {
  const { rows } = await pool.query<{ rule: MirrorRule }>({
    name: 'origin-rules-of-host',
    text: `SELECT r.rule FROM policies p, jsonb_array_elements(p.document -> 'rules') WITH ORDINALITY AS r (rule, n)
           WHERE p.name = 'origins' AND (r.rule -> 'tags' IS NULL OR EXISTS (
             SELECT FROM hosts h WHERE h.id = $1 AND r.rule -> 'tags' ?| h.tags)) ORDER BY r.n`,
    values: [hostId],
  });
  return rows.map(({ rule }) => rule);
}

async function loadPackagesBefore(
  { pool }: Database,
  hostId: HostId,
  release: InternedRelease,
  at: Date,
): Promise<readonly PackageBefore[]> {
  const { rows: sets } = await pool.query<{ ids: Uint8Array; releaseId: number }>(
    `SELECT ps.ids, s.release_id AS "releaseId" FROM snapshots s JOIN package_sets ps ON ps.id = s.set_id
     WHERE s.host_id = $1 AND s.received_at < $2 ORDER BY s.sequence DESC LIMIT 1`,
    [hostId, at],
  );
  const [last] = sets;
  if (last?.releaseId !== release.id) return [];
  const { rows } = await pool.query<PackageBefore>(
    'SELECT id, name, architecture, version, unfinished FROM package_versions WHERE id = ANY($1::int[]) ORDER BY id',
    [decodePackageSet(last.ids)],
  );
  return rows;
}

const epochLock = createHash('sha256').update('plimsoll interning').digest().readBigInt64BE(0).toString();

/** The epoch of interned rows. It increases each time rows are condemned. */
async function readEpoch(on: Pick<pg.Pool, 'query'> | PgTransaction): Promise<number> {
  const { rows } = await on.query<{ epoch: number }>({
    name: 'read-interning-epoch',
    text: 'SELECT epoch FROM interning_epoch',
  });
  const epoch = rows[0]?.epoch;
  if (epoch === undefined) throw new Error('interning_epoch has no row');
  return epoch;
}

/**
 * Keeps the epoch from moving until the transaction ends, and returns it. The lock is shared: any number of
 * transactions can hold it.
 */
export async function holdEpoch(tx: PgTransaction): Promise<number> {
  await tx.query({
    name: 'hold-interning-epoch',
    text: 'SELECT pg_advisory_xact_lock_shared($1)',
    values: [epochLock],
  });
  return readEpoch(tx);
}

/** Moves the epoch and locks it exclusively until the transaction ends. Waits for the transactions that hold it. */
export async function moveEpoch(tx: PgTransaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [epochLock]);
  await tx.query('UPDATE interning_epoch SET epoch = epoch + 1');
}
