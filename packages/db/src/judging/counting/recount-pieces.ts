import type { HostId, PackageVersionId, Release } from '@plimsoll/model';
import type pg from 'pg';
import { type Database, inPgTransaction } from '../../core/database.ts';
import { decodePackageSet, highestOf } from '../../ingest/package-set.ts';
import type { SetRange } from '../../ingest/set-numbers.ts';
import { recountDueHosts } from '../due/host-due-terms.ts';
import { countLedgerHosts, readUncountedLedger } from '../history/ledger-hosts.ts';

/** Package sets per piece. Reading so many takes some milliseconds. */
const setsPerPiece = 2_500;
/** The number of pieces that a process looks at for one that no other process counts. */
const piecesPerLook = 64;

/** A part of the hosts that some changes affect. */
export interface RecountPiece {
  readonly n: string;
  /** Numbers in version_changes. */
  readonly changes: readonly string[];
  /** The package sets; null: the hosts whose running kernel changed, whatever their sets. */
  readonly sets: SetRange | null;
  /** Hosts whose terms changed: then the piece has no changes. Otherwise empty. */
  readonly hosts: readonly HostId[];
}

/** Hosts whose next due date has come that are noted at once. */
const mostDueHosts = 100_000;

/** What some changes changed. */
export interface ChangedVersions {
  readonly versions: ReadonlySet<PackageVersionId>;
  /** The highest of the versions. */
  readonly highest: number;
  readonly releases: readonly Release[];
}

/** Divides the hosts of changes that are not divided yet into pieces. Any number of processes may call it. */
export async function planRecount({ pool }: Database): Promise<void> {
  const isPlanned = 'SELECT FROM version_changes WHERE NOT counted AND NOT planned LIMIT 1';
  if ((await pool.query(isPlanned)).rowCount === 0) return;
  await inPgTransaction(pool, async (tx) => {
    // All at once, in one pass over the sets; a second process waits and finds none.
    const { rows } = await tx.query<{ n: string }>(
      'SELECT n FROM version_changes WHERE NOT counted AND NOT planned ORDER BY n FOR UPDATE',
    );
    const changes = rows.map(({ n }) => n);
    if (changes.length === 0) return;
    // A host that is matched after the change needs no recount, so sets that are added later do not matter.
    await tx.query(
      `INSERT INTO recount_pieces (changes, first_set, last_set)
       SELECT $1::bigint[], min(id), max(id) FROM (
         SELECT id, (row_number() OVER (ORDER BY id) - 1) / $2::int AS piece FROM package_sets) s
       GROUP BY piece ORDER BY piece`,
      [changes, setsPerPiece],
    );
    await tx.query('INSERT INTO recount_pieces (changes) VALUES ($1::bigint[])', [changes]);
    await tx.query('UPDATE version_changes SET planned = true WHERE n = ANY($1::bigint[])', [changes]);
  });
}

/**
 * Claims a piece that no other process counts, until releasePiece or the end of the connection; null if there is none.
 */
export async function claimPiece(client: pg.PoolClient): Promise<RecountPiece | null> {
  const { rows } = await client.query<{
    n: string;
    changes: readonly string[];
    first: number | null;
    last: number | null;
    hosts: readonly HostId[];
  }>(
    `SELECT n, coalesce(changes, '{}') AS changes, first_set AS first, last_set AS last, coalesce(hosts, '{}') AS hosts
     FROM recount_pieces
     ORDER BY n LIMIT $1`,
    [piecesPerLook],
  );
  for (const { n, changes, first, last, hosts } of rows) {
    const tried = await client.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_lock(${pieceLock}) AS taken`,
      [n],
    );
    if (tried.rows[0]?.taken !== true) continue;
    const piece = { n, changes, sets: first === null || last === null ? null : { first, last }, hosts };
    const isLeft = await client.query('SELECT FROM recount_pieces WHERE n = $1', [n]);
    if (isLeft.rowCount === 1) return piece;
    await unlock(client, piece);
  }
  return null;
}

const pieceLock = `hashtextextended('recount piece ' || $1::bigint, 0)`;

/** Deletes a counted piece and ends its claim. */
export async function releasePiece(client: pg.PoolClient, piece: RecountPiece): Promise<void> {
  await client.query('DELETE FROM recount_pieces WHERE n = $1', [piece.n]);
  await unlock(client, piece);
}

async function unlock(client: pg.PoolClient, { n }: RecountPiece): Promise<void> {
  await client.query(`SELECT pg_advisory_unlock(${pieceLock})`, [n]);
}

/** What the changes of a piece changed. */
export async function changedVersionsOf(
  client: pg.PoolClient,
  { changes }: RecountPiece,
): Promise<ChangedVersions> {
  const { rows } = await client.query<{ ids: Uint8Array; releases: readonly Release[] }>(
    'SELECT ids, releases FROM version_changes WHERE n = ANY($1::bigint[])',
    [changes],
  );
  const versions = new Set(rows.flatMap(({ ids }) => decodePackageSet(ids)));
  const releases = [...new Set(rows.flatMap((row) => row.releases))];
  return { versions, highest: highestOf(versions), releases };
}

const endLock = `hashtextextended('recount end', 0)`;

/**
 * Marks changes without pieces as counted, and counts the hosts of their ledger when no piece is left. Returns whether
 * everything is counted. Does nothing while another process does it.
 */
export async function endRecount({ pool }: Database): Promise<boolean> {
  return inPgTransaction(pool, async (tx) => {
    const tried = await tx.query<{ taken: boolean }>(`SELECT pg_try_advisory_xact_lock(${endLock}) AS taken`);
    if (tried.rows[0]?.taken !== true) return false;
    // First, so that the hosts of every change read here are counted if nothing is left below.
    const ledger = await readUncountedLedger(tx);
    await tx.query(
      `UPDATE version_changes c SET counted = true WHERE NOT counted AND planned
         AND NOT EXISTS (SELECT FROM recount_pieces p WHERE c.n = ANY(p.changes))`,
    );
    const left = await tx.query('SELECT FROM version_changes WHERE NOT counted LIMIT 1');
    if (left.rowCount !== 0) return false;
    await countLedgerHosts(tx, ledger);
    return true;
  });
}

/** The recounts of one database that are not finished. */
export interface RecountStore {
  /** The number of pieces to count, at least one while a change is not counted. */
  waiting(): Promise<number>;
  /** Has the hosts counted again whose next due date has come; returns their number. */
  noteDueHosts(): Promise<number>;
}

/** The recount store of one database. */
export function createRecountStore({ pool }: Database): RecountStore {
  return {
    async waiting() {
      const { rows } = await pool.query<{ waiting: number }>(
        `SELECT CASE WHEN EXISTS (SELECT FROM version_changes WHERE NOT counted)
                       OR EXISTS (SELECT FROM knowledge_changes WHERE NOT counted)
                       OR EXISTS (SELECT FROM recount_pieces WHERE hosts <> '{}')
                THEN greatest(1, (SELECT count(*)::int FROM recount_pieces)) ELSE 0 END AS waiting`,
      );
      return rows[0]?.waiting ?? 0;
    },
    noteDueHosts: () => recountDueHosts(pool, mostDueHosts),
  };
}
