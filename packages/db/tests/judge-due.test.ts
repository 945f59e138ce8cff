import { databasePerFile, insertManyHosts } from '@plimsoll/testing';
import { isOther, judgementOf, loadOverviewFacts } from '../src/fleet/hosts/judgement.ts';
import { judgeDue } from '../src/index.ts';

const hosts = 120;
const database = databasePerFile();
let ids: readonly string[];
beforeAll(async () => {
  await insertManyHosts(database.db, hosts);
  const { rows } = await database.db.pool.query<{ id: string }>('SELECT id FROM hosts ORDER BY display_name');
  ids = rows.map(({ id }) => id);
  await query(
    `INSERT INTO ssh_key_pairs (id, public_key, sealed, sealed_to) VALUES ($1, 'x', 'x', 'x')`,
    ids[0],
  );
  await query(
    `INSERT INTO ssh_targets (host_id, "user", port, frequency_minutes, key_pair_id, next_pull_at)
    SELECT host_id, 'x', 22, 60, $1, now() FROM host_state`,
    ids[0],
  );
  await query(
    `INSERT INTO patch_rhythms (host_id, due) SELECT id, false FROM hosts ON CONFLICT (host_id) DO NOTHING`,
  );
  await query(`INSERT INTO releases (id, name, feed_id) VALUES (901, 'made:other', 'made-up')`);
  await query(`UPDATE host_state SET release_id = 901 WHERE host_id = ANY($1::uuid[])`, ids.slice(0, 40));
});

async function query(text: string, ...values: unknown[]): Promise<number> {
  return (await database.db.pool.query(text, values)).rowCount ?? 0;
}

/** A generator of numbers that are the same in each run. */
function seeded(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Hosts of which another judgement is stored than follows from all facts. */
async function wronglyStored(): Promise<readonly string[]> {
  const all = await loadOverviewFacts(database.db.pool, ids as never);
  expect(all).toHaveLength(hosts);
  return all.flatMap(({ stored, ...host }) => {
    const judged = judgementOf({ ...host, stored: { ...stored, judgedUntil: 0 } });
    const isWrong = isOther(judged, stored) || stored.judgedUntil > judged.judgedUntil;
    return isWrong ? [JSON.stringify({ judged, stored, ...host })] : [];
  });
}

describe('judgements of hosts', () => {
  it('follow every change of a fact, and the passing of time', async () => {
    const any = seeded(Number(process.env['PLIMSOLL_SEED'] ?? 7));
    // Some often: three pulls in a row fail.
    const host = () => ids[any(any(2) === 0 ? 5 : hosts)];
    const time = (spread: number) => `now() + interval '${any(2 * spread) - spread} seconds'`;
    const day = 24 * 3600;
    const contact = (set: string) => () =>
      query(`UPDATE host_contacts SET ${set} WHERE host_id = $1`, host());
    const operations: readonly (() => Promise<number>)[] = [
      // A contact, as confirm-unchanged.ts writes it.
      () => contact(`last_seen_at = now(), last_confirmed_at = now(), collected_at = now()`)(),
      () => contact(`last_confirmed_at = now(), lists_at = ${time(9 * day)}, collected_at = ${time(day)}`)(),
      () => contact(`lists_at = NULL`)(),
      () => contact(`stale_after_seconds = ${60 + any(3 * day)}`)(),
      () => contact(`repositories_state = '${['current', 'outdated', 'unknown'][any(3)]}'`)(),
      () => contact(`repositories_valid_until = ${any(4) === 0 ? 'NULL' : time(day)}`)(),
      () => query(`UPDATE ssh_targets SET failures = failures + ${1 + any(2)} WHERE host_id = $1`, host()),
      () =>
        query(
          `UPDATE ssh_targets SET failures = 0, first_pulled_at = coalesce(first_pulled_at, now()) WHERE host_id = $1`,
          host(),
        ),
      () =>
        query(
          `UPDATE patch_rhythms SET overdue_at = ${any(4) === 0 ? 'NULL' : time(2 * day)} WHERE host_id = $1`,
          host(),
        ),
      () =>
        query(
          `UPDATE hosts SET approval_status = '${['pending', 'approved', 'retired'][any(3)]}' WHERE id = $1`,
          host(),
        ),
      () => query(`UPDATE feeds SET updated_at = now()`),
      () => query(`UPDATE feeds SET updated_at = ${any(4) === 0 ? 'NULL' : time(day)}`),
      () => query(`UPDATE feeds SET stale_after_seconds = ${3600 + any(5 * day)}`),
      () =>
        query(`INSERT INTO feed_releases (feed_id, release, updated_at) VALUES ('made-up', 'made:other', ${any(3) === 0 ? 'NULL' : time(5 * day)})
        ON CONFLICT (feed_id, release) DO UPDATE SET updated_at = excluded.updated_at`),
      () => query(`UPDATE feed_releases SET updated_at = now()`),
      () => query(`UPDATE feed_releases SET updated_at = ${time(5 * day)}`),
      () => query(`DELETE FROM feed_releases WHERE ${any(3)} = 0`),
      () => query(`UPDATE releases SET covered = NOT covered WHERE id = ${900 + any(2)}`),
      () => query(`UPDATE releases SET lists_unfixed = NOT lists_unfixed WHERE id = ${900 + any(2)}`),
      () =>
        query(
          `UPDATE releases SET ends_at = ${any(3) === 0 ? 'NULL' : time(2 * day)} WHERE id = ${900 + any(2)}`,
        ),
      () =>
        query(
          `UPDATE releases SET feed_id = CASE WHEN feed_id IS NULL THEN 'made-up' END WHERE id = ${900 + any(2)}`,
        ),
      // Some hours pass: everything else becomes older.
      () => pass(1 + any(60 * 60 * 40)),
    ];
    await judgeDue(database.db);
    expect(await wronglyStored()).toEqual([]);
    for (let step = 0; step < 150; step += 1) {
      for (let n = any(4); n >= 0; n -= 1) await operations[any(operations.length)]?.();
      await judgeDue(database.as(any(2) === 0 ? 'api' : 'scheduler'));
      const wrong = await wronglyStored();
      if (wrong.length > 0) throw new Error(`after step ${step}: ${wrong[0]}`);
    }
  });

  it('are not written again by contacts of an active host, or by syncs of a feed that is current', async () => {
    await query(`UPDATE host_contacts SET stale_after_seconds = 90000, last_confirmed_at = now() - interval '1 hour',
      collected_at = now() - interval '1 hour', lists_at = now(), repositories_state = 'current',
      repositories_valid_until = now() + interval '2 days'`);
    await query(`UPDATE feeds SET updated_at = now(), stale_after_seconds = 90000`);
    await query(`UPDATE releases SET feed_id = 'made-up'`);
    await judgeDue(database.db);
    const before = await versions();
    await query(`UPDATE host_contacts SET last_seen_at = now(), last_confirmed_at = now(), collected_at = now(), lists_at = now(),
      repositories_valid_until = now() + interval '3 days'`);
    await query(`UPDATE feeds SET updated_at = now()`);
    expect(await query('SELECT FROM judgements_due')).toBe(0);
    await judgeDue(database.db);
    expect(await versions()).toBe(before);
    expect(await wronglyStored()).toEqual([]);
  });
});

/** Changes with each row of host_state that is written. */
async function versions(): Promise<string> {
  const { rows } = await database.db.pool.query<{ text: string }>(
    `SELECT string_agg(xmin::text, ' ' ORDER BY host_id) AS text FROM host_state`,
  );
  return rows[0]?.text ?? '';
}

/** Moves all times back instead of the clock. The bound of a judgement moves with the facts. */
async function pass(seconds: number): Promise<number> {
  const back = `- interval '${seconds} seconds'`;
  const { pool } = database.db;
  const client = await pool.connect();
  try {
    await client.query('SET session_replication_role = replica');
    await client.query(`UPDATE host_contacts SET last_confirmed_at = last_confirmed_at ${back}, collected_at = collected_at ${back},
      lists_at = lists_at ${back}, repositories_valid_until = repositories_valid_until ${back}`);
    await client.query(
      `UPDATE host_state SET support_ends_at = support_ends_at ${back}, judged_until = judged_until ${back}`,
    );
    await client.query(`UPDATE patch_rhythms SET overdue_at = overdue_at ${back}`);
    await client.query(`UPDATE feeds SET updated_at = updated_at ${back}`);
    await client.query(`UPDATE feed_releases SET updated_at = updated_at ${back}`);
    await client.query(`UPDATE releases SET ends_at = ends_at ${back}`);
  } finally {
    await client.query('RESET session_replication_role');
    client.release();
  }
  return seconds;
}
