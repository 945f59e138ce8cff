import { createHash } from 'node:crypto';
import { databasePerTest, enrolmentOf, issueToken, waitFor } from '@plimsoll/testing';
import { createAuditStore, createEnrolmentStore } from '../src/index.ts';

const limits = { burst: 5, perMinute: 1 };

const database = databasePerTest();

const store = () => createEnrolmentStore(database.as('api'), limits);
/** Moves the token's times into the past, as if time had passed. */
const pass = (id: string, seconds: number) =>
  database.db.pool.query(
    `UPDATE registration_tokens SET enrolments_whole_at = enrolments_whole_at - make_interval(secs => $2),
            refusal_noted_at = refusal_noted_at - make_interval(secs => $2) WHERE id = $1`,
    [id, seconds],
  );
const refusals = async () =>
  createAuditStore(database.db).list(
    { action: 'registration_token.rate_limited' },
    { limit: 10, before: null },
  );

it('lets a burst of hosts enrol with one token, refuses the others, and records this once', async () => {
  const { id, secret } = await issueToken(database.db, { name: 'rack 7' });
  const results = await Promise.all(
    Array.from({ length: 40 }, () => store().enrol(enrolmentOf(secret, { hostname: 'evil' }))),
  );
  expect(results.filter(({ kind }) => kind === 'enrolled')).toHaveLength(5);
  expect(results.filter(({ kind }) => kind === 'too_many')).toHaveLength(35);
  const again = await store().enrol(enrolmentOf(secret, { hostname: 'evil' }));
  expect(again).toMatchObject({ kind: 'too_many', tokenId: id, tokenName: 'rack 7' });
  const noted = [...results, again].filter((result) => result.kind === 'too_many' && result.isFirst);
  expect(noted).toHaveLength(1);
  expect(await refusals()).toMatchObject([
    {
      actor: { kind: 'system' },
      target: { kind: 'registration_token', id, name: 'rack 7' },
      details: { hostname: 'evil' },
    },
  ]);
  const { rows } = await database.db.pool.query('SELECT uses FROM registration_tokens WHERE id = $1', [id]);
  expect(rows).toEqual([{ uses: 5 }]);
  // As a clock leaves it that was a year ahead.
  await pass(id, -365 * 86_400);
  expect(await store().enrol(enrolmentOf(secret))).toMatchObject({ kind: 'enrolled' });
});

it('records one of several refusals that happen at once', async () => {
  const { id, secret } = await issueToken(database.db);
  for (let n = 0; n < 5; n++) await store().enrol(enrolmentOf(secret));
  const { pool } = database.db;
  const holder = await pool.connect();
  try {
    // All three read that no refusal was recorded, then wait for the row.
    await holder.query('BEGIN');
    await holder.query('SELECT FROM registration_tokens WHERE id = $1 FOR UPDATE', [id]);
    const results = Promise.all([1, 2, 3].map(() => store().enrol(enrolmentOf(secret))));
    await waitFor('three refusals to wait for the token', async () => {
      const { rows } = await pool.query(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
         WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return rows[0].waiting === 3;
    });
    await holder.query('COMMIT');
    expect((await results).filter((result) => result.kind === 'too_many' && result.isFirst)).toHaveLength(1);
  } finally {
    holder.release();
  }
  expect(await refusals()).toHaveLength(1);
});

it('lets more hosts enrol as time passes, and records refusals again after an hour', async () => {
  const { id, secret } = await issueToken(database.db);
  const enrolUntilRefused = async () => {
    for (let enrolled = 0; ; enrolled++) {
      if ((await store().enrol(enrolmentOf(secret))).kind !== 'enrolled') return enrolled;
    }
  };
  expect(await enrolUntilRefused()).toBe(5);
  await pass(id, 150);
  expect(await enrolUntilRefused()).toBe(2);
  await pass(id, 3_700);
  expect(await enrolUntilRefused()).toBe(5);
  expect(await refusals()).toHaveLength(2);
});

it('does not affect other tokens, and counts repeated requests', async () => {
  const { secret } = await issueToken(database.db);
  const idempotencyKeyHash = new Uint8Array(createHash('sha256').update('key').digest());
  const repeat = () => store().enrol(enrolmentOf(secret, { idempotencyKeyHash }));
  const [first, ...others] = [await repeat(), await repeat(), await repeat(), await repeat(), await repeat()];
  if (first.kind !== 'enrolled') throw new Error(first.kind);
  expect(others).toEqual(Array(4).fill(first));
  expect(await repeat()).toMatchObject({ kind: 'too_many' });
  const other = await issueToken(database.db);
  expect((await store().enrol(enrolmentOf(other.secret))).kind).toBe('enrolled');
});

it('reports used-up and wrong tokens only as not valid', async () => {
  const { id, secret } = await issueToken(database.db);
  for (let n = 0; n < 6; n++) await store().enrol(enrolmentOf(secret));
  await database.db.pool.query('UPDATE registration_tokens SET max_uses = uses WHERE id = $1', [id]);
  expect(await store().enrol(enrolmentOf(secret))).toEqual({ kind: 'refused' });
  expect(await store().enrol(enrolmentOf('wrong'))).toEqual({ kind: 'refused' });
});
