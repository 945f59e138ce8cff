import type { PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import { type Database, inPgTransaction, type PgTransaction } from '../core/database.ts';
import { isLockTimeout } from '../core/locks.ts';
import { decodePackageSet, encodeIds, heldOf, holdsAny, readIds, VersionMarks } from './package-set.ts';
import { SetNumbers, type SetRange, type SetsByVersion, setsPerBlock } from './set-numbers.ts';

/** Sets read at once; decoding them takes about 5 ms. */
const setsPerRead = 1_000;
const rowsPerInsert = 2_000;
/** Reading a set takes about as long as so many bytes of postings. */
const postingBytesPerSet = 30;
/** Inserts of sets wait while a block waits for those in progress. */
const lockTimeoutMs = 1_000;

const allSets: SetRange = { first: 1, last: 2 ** 31 - 1 };

/**
 * The sets that contain any of the given versions, all or those in a range: from the postings of complete blocks, and by
 * reading the sets after them. May name sets that were deleted since, and sets outside the range. Reads in several
 * statements; what was committed before the first one is in the result.
 * @param behind the sets behind the posted blocks, if they were read before in the same snapshot
 */
export async function findSets(
  client: pg.Pool | pg.PoolClient,
  wanted: Iterable<PackageVersionId>,
  { range = allSets, behind }: { readonly range?: SetRange; readonly behind?: SetsBehind } = {},
): Promise<SetsByVersion> {
  const groups = new Groups();
  await divide(client, wanted, range, {
    posted: (posting) => groups.addPosting(posting),
    unposted: (id, ids, among) => groups.addSet(id, heldOf(ids, among, among.highest)),
    ...(behind === undefined ? {} : { behind }),
  });
  return groups.found();
}

/** The sets behind the posted blocks, ascending, with their encoded versions. */
export type SetsBehind = readonly { readonly id: number; readonly ids: Uint8Array }[];

/** Reads the sets behind the posted blocks, for several questions in one snapshot. */
export async function readSetsBehind(client: pg.PoolClient): Promise<SetsBehind> {
  const behind: { id: number; ids: Uint8Array }[] = [];
  const until = await readPosted(client);
  await eachUnposted(client, { ...allSets, first: until + 1 }, (id, ids) => behind.push({ id, ids }));
  return behind;
}

function sortedVersions(versions: Iterable<PackageVersionId>): readonly PackageVersionId[] {
  return [...new Set(versions)].sort((a, b) => a - b);
}

/** The ids of the same sets. */
export async function findSetIds(
  client: pg.Pool | pg.PoolClient,
  wanted: Iterable<PackageVersionId>,
  range: SetRange = allSets,
): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  await divide(client, wanted, range, {
    posted({ first, places }) {
      for (const place of places) found.add(first + place);
    },
    unposted(id, ids, among) {
      if (holdsAny(ids, among)) found.add(id);
    },
  });
  return found;
}

/** Takes the same sets one after the other, each with those of the versions that it contains, ascending. */
export async function visitSets(
  client: pg.Pool | pg.PoolClient,
  wanted: Iterable<PackageVersionId>,
  take: (id: number, held: readonly PackageVersionId[]) => void,
): Promise<void> {
  const groups = new Groups();
  await divide(client, wanted, allSets, {
    posted: (posting) => groups.addPosting(posting),
    unposted(id, ids, among) {
      const held = heldOf(ids, among, among.highest);
      if (held.length > 0) take(id, held);
    },
  });
  const posted = groups.found();
  for (const [id, at] of posted.heldOf) take(id, posted.held[at] ?? []);
}

/** The sets of a block that contain a version. */
interface Posting {
  readonly version: PackageVersionId;
  readonly block: number;
  /** The id of the block's set at place 0. */
  readonly first: number;
  /** Ascending; valid until the next posting is read. */
  readonly places: Int32Array;
}

/** What takes sets: posted ones by block and version, the versions ascending; another one with its encoded versions. */
interface SetTaker {
  /** Absent: they are read. */
  readonly behind?: SetsBehind;
  posted(posting: Posting): void;
  unposted(id: number, ids: Uint8Array, among: VersionMarks): void;
}

/** Reads the sets of a range by postings where that is faster, and the others themselves. */
async function divide(
  client: pg.Pool | pg.PoolClient,
  wanted: Iterable<PackageVersionId>,
  { first, last }: SetRange,
  taker: SetTaker,
): Promise<void> {
  const versions = sortedVersions(wanted);
  if (versions.length === 0) return;
  const until = Math.min(last, await readPosted(client));
  const posted = { first, last: until };
  const isPosted = until >= first && (await areFewPostings(client, versions, posted));
  if (isPosted) await eachPosted(client, versions, posted, (posting) => taker.posted(posting));
  const among = new VersionMarks(versions);
  const rest = { first: isPosted ? until + 1 : first, last };
  const take = (id: number, ids: Uint8Array) => taker.unposted(id, ids, among);
  if (rest.first > until && taker.behind !== undefined) for (const { id, ids } of taker.behind) take(id, ids);
  else await eachUnposted(client, rest, take);
}

/** Whether the postings of versions in the blocks of a range are read faster than its sets. */
async function areFewPostings(
  client: pg.Pool | pg.PoolClient,
  versions: readonly PackageVersionId[],
  { first, last }: SetRange,
): Promise<boolean> {
  const most = (last - first + 1) * postingBytesPerSet;
  const blocks = blockOf(last) - blockOf(first) + 1;
  if (versions.length * blocks * setsPerBlock <= most) return true;
  if (versions.length > last - first + 1) return false;
  const { rows } = await client.query<{ bytes: string }>(
    `SELECT coalesce(sum(length(sets)), 0) AS bytes FROM set_postings
     WHERE version_id = ANY($1::int[]) AND block BETWEEN $2 AND $3`,
    [versions, blockOf(first), blockOf(last)],
  );
  return Number(rows[0]?.bytes) <= most;
}

/** The highest id of the posted blocks; 0 if there are none. */
async function readPosted(client: pg.Pool | pg.PoolClient): Promise<number> {
  const { rows } = await client.query<{ until: number }>(
    `SELECT coalesce(max(block) + 1, 0) * ${setsPerBlock} AS until FROM posted_blocks`,
  );
  return rows[0]?.until ?? 0;
}

/** Takes the postings of the versions in the range's blocks, by version, which are ascending. */
async function eachPosted(
  client: pg.Pool | pg.PoolClient,
  versions: readonly PackageVersionId[],
  { first, last }: SetRange,
  take: (posting: Posting) => void,
): Promise<void> {
  const { rows } = await client.query<{ versionId: PackageVersionId; block: number; sets: Uint8Array }>(
    `SELECT version_id AS "versionId", block, sets FROM set_postings
     WHERE version_id = ANY($1::int[]) AND block BETWEEN $2 AND $3 ORDER BY version_id, block`,
    [versions, blockOf(first), blockOf(last)],
  );
  const room = new Int32Array(setsPerBlock);
  for (const { versionId, block, sets } of rows) {
    const places = room.subarray(0, readIds(sets, room));
    take({ version: versionId, block, first: block * setsPerBlock + 1, places });
  }
}

function blockOf(id: number): number {
  return Math.floor((id - 1) / setsPerBlock);
}

/**
 * Combinations of versions, numbered as they appear. Those of postings arrive version by version, ascending: such a combination is kept
 * as its last version and the combination before. Those of sets arrive whole and are kept whole: thousands of sets with hundreds
 * of versions each would have millions of combinations before.
 */
class Groups {
  private readonly heldOf = new SetNumbers();
  private readonly lastVersions: PackageVersionId[] = [0 as PackageVersionId]; // That of the empty one is not read.
  private readonly before: number[] = [0];
  /** By version: the combination with it for each combination without it. */
  private readonly extended = new Map<PackageVersionId, Map<number, number>>();
  private readonly whole = new Map<number, readonly PackageVersionId[]>();
  /** By the bytes of its versions: a combination of `whole`. */
  private readonly known = new Map<string, number>();

  /** @param versions ascending */
  addSet(setId: number, versions: readonly PackageVersionId[]): void {
    if (versions.length === 0) return;
    const key = Buffer.from(Int32Array.from(versions).buffer).toString('latin1');
    let number = this.known.get(key);
    if (number === undefined) {
      number = this.before.push(0) - 1;
      this.lastVersions.push(0 as PackageVersionId); // Not read.
      this.known.set(key, number);
      this.whole.set(number, versions);
    }
    this.heldOf.set(setId, number);
  }

  /** Adds a version to all sets of a posting. Sets next to each other often contain the same. */
  addPosting({ version, block, places }: Posting): void {
    const numbers = this.heldOf.block(block);
    let before = -1;
    let after = 0;
    for (const place of places) {
      const number = numbers[place] ?? 0;
      if (number !== before) {
        before = number;
        after = this.extend(before, version);
      }
      numbers[place] = after;
    }
  }

  /** The combination of another one and a version. */
  private extend(before: number, version: PackageVersionId): number {
    const known = this.extended.get(version) ?? new Map<number, number>();
    if (known.size === 0) this.extended.set(version, known);
    let after = known.get(before);
    if (after === undefined) {
      after = this.before.push(before) - 1;
      this.lastVersions.push(version);
      known.set(before, after);
    }
    return after;
  }

  found(): SetsByVersion {
    const held: (readonly PackageVersionId[])[] = this.before.map(() => []);
    for (const combination of this.heldOf.distinct(this.before.length - 1))
      held[combination] = this.whole.get(combination) ?? this.versionsOf(combination);
    return { heldOf: this.heldOf, held };
  }

  private versionsOf(combination: number): readonly PackageVersionId[] {
    const versions: PackageVersionId[] = [];
    for (let at = combination; at !== 0; at = this.before[at] ?? 0) {
      const version = this.lastVersions[at];
      if (version !== undefined) versions.push(version);
    }
    return versions.reverse();
  }
}

async function eachUnposted(
  client: pg.Pool | pg.PoolClient,
  { first, last: until }: SetRange,
  take: (id: number, ids: Uint8Array) => unknown,
): Promise<void> {
  for (let after = first - 1; after < until; ) {
    const { rows } = await client.query<{ id: number; ids: Uint8Array }>(
      'SELECT id, ids FROM package_sets WHERE id > $1 AND id <= $2 ORDER BY id LIMIT $3',
      [after, until, setsPerRead],
    );
    for (const { id, ids } of rows) take(id, ids);
    const last = rows.at(-1);
    if (last === undefined || rows.length < setsPerRead) return;
    after = last.id;
  }
}

/** Keeps the postings of package sets. */
export interface SetPostingStore {
  /**
   * Posts the blocks that are complete, and posts blocks again of whose sets most were deleted. Returns the number of
   * blocks. A process that dies in between leaves no block half posted.
   */
  post(): Promise<number>;
}

/** The postings of one database. */
export function createSetPostingStore(db: Database): SetPostingStore {
  return {
    async post() {
      let posted = 0;
      const complete = await completeBlocks(db);
      for (let block = await inPgTransaction(db.pool, nextBlock); block < complete; block += 1) {
        if (await inPgTransaction(db.pool, (tx) => postNext(tx, block))) posted += 1;
      }
      for (const block of await sparseBlocks(db)) {
        await inPgTransaction(db.pool, (tx) => postAgain(tx, block));
        posted += 1;
      }
      return posted;
    },
  };
}

async function nextBlock(tx: PgTransaction): Promise<number> {
  const { rows } = await tx.query<{ next: number }>(
    'SELECT coalesce(max(block) + 1, 0) AS next FROM posted_blocks',
  );
  return rows[0]?.next ?? 0;
}

/** The number of blocks to which no set will be added. */
async function completeBlocks(db: Database): Promise<number> {
  const highest = async (tx: Pick<pg.PoolClient, 'query'>): Promise<number> => {
    const { rows } = await tx.query<{ id: number }>('SELECT coalesce(max(id), 0) AS id FROM package_sets');
    return rows[0]?.id ?? 0;
  };
  const next = await inPgTransaction(db.pool, nextBlock);
  if ((await highest(db.pool)) <= (next + 1) * setsPerBlock) return next;
  const complete = inPgTransaction(db.pool, async (tx) => {
    await tx.query(`SELECT set_config('lock_timeout', '${lockTimeoutMs}ms', true)`);
    // A transaction that has drawn a lower id but not committed it holds a lock that conflicts.
    await tx.query('LOCK TABLE package_sets IN SHARE MODE');
    return Math.floor((await highest(tx)) / setsPerBlock);
  });
  return complete.catch((error: unknown) => {
    // Transactions that add sets did not end in time; a later call succeeds.
    if (isLockTimeout(error)) return next;
    throw error;
  });
}

/** False if another process posted the block. */
async function postNext(tx: PgTransaction, block: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    'INSERT INTO posted_blocks (block, sets) VALUES ($1, 0) ON CONFLICT (block) DO NOTHING',
    [block],
  );
  if (rowCount === 0) return false;
  await postBlock(tx, block);
  return true;
}

async function postAgain(tx: PgTransaction, block: number): Promise<void> {
  await tx.query('SELECT FROM posted_blocks WHERE block = $1 FOR UPDATE', [block]);
  await tx.query('DELETE FROM set_postings WHERE block = $1', [block]);
  await postBlock(tx, block);
}

async function postBlock(tx: PgTransaction, block: number): Promise<void> {
  const first = block * setsPerBlock + 1;
  const places = new Map<PackageVersionId, number[]>();
  let sets = 0;
  for (let from = first; from < first + setsPerBlock; from += setsPerRead) {
    const to = Math.min(from + setsPerRead, first + setsPerBlock);
    const { rows } = await tx.query<{ id: number; ids: Uint8Array }>(
      'SELECT id, ids FROM package_sets WHERE id >= $1 AND id < $2 ORDER BY id',
      [from, to],
    );
    sets += rows.length;
    for (const { id, ids } of rows) {
      for (const version of decodePackageSet(ids)) {
        const known = places.get(version);
        if (known === undefined) places.set(version, [id - first]);
        else known.push(id - first);
      }
    }
  }
  const postings = [...places];
  for (let n = 0; n < postings.length; n += rowsPerInsert) {
    const some = postings.slice(n, n + rowsPerInsert);
    await tx.query(
      `INSERT INTO set_postings (version_id, block, sets) SELECT v, $2, s FROM unnest($1::int[], $3::bytea[]) AS p (v, s)`,
      [some.map(([version]) => version), block, some.map(([, of]) => encodeIds(of))],
    );
  }
  await tx.query('UPDATE posted_blocks SET sets = $2 WHERE block = $1', [block, sets]);
}

/** Posted blocks of whose sets less than half are left. */
async function sparseBlocks(db: Database): Promise<readonly number[]> {
  const { rows } = await db.pool.query<{ block: number }>(
    `SELECT b.block FROM posted_blocks b WHERE b.sets > 0 AND 2 * (SELECT count(*) FROM package_sets s
       WHERE s.id > b.block * ${setsPerBlock} AND s.id <= (b.block + 1) * ${setsPerBlock}) < b.sets ORDER BY b.block`,
  );
  return rows.map(({ block }) => block);
}
