import type { HostId } from '@plimsoll/model';
import type pg from 'pg';
import { type Database, inPgTransaction, type PgTransaction } from '../../core/database.ts';
import { waitForMatching } from '../../core/locks.ts';
import { rowTable } from '../../core/row-table.ts';
import {
  type HostToJudge,
  isOther,
  type JudgedRow,
  judgementColumns,
  judgementOf,
  loadOverviewFacts,
} from './judgement.ts';

/** Hosts judged in one transaction: a tenth of a second. */
const hostsPerTransaction = 2_000;

/** Runs for one pool: the one under way, and the one that begins after it. */
interface Runs {
  running: Promise<void> | null;
  next: Promise<void> | null;
}
const runsOf = new WeakMap<pg.Pool, Runs>();

/**
 * Judges every host whose judgement ended or a fact of which changed before the call, so that what is read afterwards is as
 * judgeOverview says. Call it before each read of judged columns; without anything due it takes one look into two indexes.
 * Calls of a process share the work.
 */
export function judgeDue({ pool }: Pick<Database, 'pool'>): Promise<void> {
  const runs = runsOf.get(pool) ?? { running: null, next: null };
  runsOf.set(pool, runs);
  const begin = (): Promise<void> => {
    runs.next = null;
    runs.running = judgeNow(pool).finally(() => {
      runs.running = null;
    });
    return runs.running;
  };
  if (runs.running === null) return begin();
  // What is under way may have looked before the last change; if it fails, its own callers learn that.
  runs.next ??= runs.running.catch(() => undefined).then(begin);
  return runs.next;
}

/** What was due at a time. */
interface Due {
  readonly at: Date;
  /** The newest note; null: there is none. */
  readonly last: string | null;
  readonly releases: boolean;
  readonly any: boolean;
}

async function judgeNow(pool: pg.Pool): Promise<void> {
  const due = await findDue(pool, null);
  if (!due.any) return;
  const until = due.releases ? await inPgTransaction(pool, noteHostsOfReleases) : due;
  // First the hosts that no other transaction holds: most often those are all.
  for (const wait of [false, true]) {
    let judged: number;
    do {
      judged = await inPgTransaction(pool, (tx) => judgeSome(tx, until, wait));
    } while (judged === hostsPerTransaction);
    if (!(await findDue(pool, until)).any) return;
  }
}

/** @param until only what was due then */
async function findDue(on: Pick<pg.Pool, 'query'>, until: Due | null): Promise<Due> {
  const { rows } = await on.query<Due>(
    // The smallest time from its index; for EXISTS, the planner reads all hosts.
    `SELECT at, last, releases, last IS NOT NULL OR coalesce((SELECT min(judged_until) FROM host_state) < at
         -- Longer than any judgement holds: it was made while the clock was ahead.
         OR (SELECT max(judged_until) FROM host_state) > at + interval '2 days', false) AS any
     FROM (SELECT coalesce($1::timestamptz, now()) AS at, max(n) AS last, coalesce(bool_or(release_id IS NOT NULL), false) AS releases
           FROM judgements_due WHERE $2::bigint IS NULL OR n <= $2) d`,
    [until?.at ?? null, until?.last ?? null],
  );
  if (rows[0] === undefined) throw new Error('the database did not say what is due');
  return rows[0];
}

/**
 * Notes the hosts of noted releases. Waits for matching: what runs now may have read the old facts of a release, and its hosts are not
 * seen before it ends.
 */
async function noteHostsOfReleases(tx: PgTransaction): Promise<Due> {
  await waitForMatching(tx);
  await tx.query(
    `WITH noted AS (DELETE FROM judgements_due WHERE release_id IS NOT NULL RETURNING release_id)
     INSERT INTO judgements_due (host_id)
     SELECT host_id FROM host_state WHERE release_id IN (SELECT release_id FROM noted) ORDER BY host_id`,
  );
  return findDue(tx, null);
}

/**
 * Judges some due hosts; returns their number.
 * @param wait for rows that others hold, instead of leaving them
 */
async function judgeSome(tx: PgTransaction, { at, last }: Due, wait: boolean): Promise<number> {
  const held = wait ? '' : 'SKIP LOCKED';
  const noted = await tx.query<{ n: string; hostId: HostId }>(
    `SELECT n, host_id AS "hostId" FROM judgements_due WHERE n <= $1 AND host_id IS NOT NULL ORDER BY n LIMIT $2 FOR UPDATE ${held}`,
    [last, hostsPerTransaction],
  );
  const asked = [...new Set(noted.rows.map(({ hostId }) => hostId))];
  const { rows: locked } = await tx.query<{ hostId: HostId }>(
    `SELECT host_id AS "hostId" FROM host_state WHERE host_id IN (
       SELECT unnest($1::uuid[]) UNION (SELECT host_id FROM host_state WHERE judged_until < $2 OR judged_until > $2 + interval '2 days' LIMIT $3))
     ORDER BY host_id FOR NO KEY UPDATE ${held}`,
    [asked, at, hostsPerTransaction - asked.length],
  );
  const ids = locked.map(({ hostId }) => hostId);
  const judged = (await loadOverviewFacts(tx, ids)).flatMap(judgeAgain);
  await writeJudgements(tx, judged);
  await tx.query(
    `DELETE FROM judgements_due WHERE n = ANY($1::bigint[]) AND (host_id = ANY($2::uuid[])
       OR NOT EXISTS (SELECT FROM host_state s WHERE s.host_id = judgements_due.host_id))`,
    [noted.rows.map(({ n }) => n), ids],
  );
  return ids.length;
}

/** The judgement to write, if there is one. */
function judgeAgain(host: HostToJudge): readonly JudgedRow[] {
  const judged = judgementOf(host);
  const isSame = !isOther(judged, host.stored) && judged.judgedUntil === host.stored.judgedUntil;
  return isSame ? [] : [{ hostId: host.hostId, ...judged }];
}

async function writeJudgements(tx: PgTransaction, judged: readonly JudgedRow[]): Promise<void> {
  if (judged.length === 0) return;
  const { table, columns, values } = rowTable(
    `host_id uuid, ${judgementColumns}`,
    judged.map((row) => ({ ...row, judgedUntil: new Date(row.judgedUntil) })),
  );
  const [, ...names] = columns.split(', ');
  await tx.query(
    `UPDATE host_state s SET (${names.join(', ')}) = ROW (${names.map((name) => `n.${name}`).join(', ')})
     FROM ${table} n WHERE s.host_id = ANY($1::uuid[]) AND s.host_id = n.host_id`,
    values,
  );
}
