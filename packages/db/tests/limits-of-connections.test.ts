import { databasePerFile, waitFor } from '@plimsoll/testing';
import { endImportTurn, takeImportTurn } from '../src/core/locks.ts';
import { importRecords } from './record-import.ts';

const database = databasePerFile();

it('no statement, wait for a lock, forgotten transaction or client that is gone lasts for ever, except the wait for the turn to import', async () => {
  const limits = async (on: { query: typeof database.db.pool.query }) =>
    (
      await on.query(
        `SELECT name, setting <> '0' AND reset_val <> '0' AS limited FROM pg_settings
         WHERE name IN ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout', 'tcp_keepalives_idle')`,
      )
    ).rows.filter(({ limited }) => limited);
  const { pool } = database.as('advisory-worker');
  expect(await limits(pool)).toHaveLength(4);
  const [first, second] = [await pool.connect(), await pool.connect()];
  try {
    await takeImportTurn(first);
    await second.query(`SET lock_timeout = '1ms'`);
    const turn = takeImportTurn(second);
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()
      AND query_start < now() - interval '50 ms'`;
    await waitFor('a wait', async () => (await database.db.pool.query(waiting)).rowCount === 1);
    await endImportTurn(first);
    await turn;
    await endImportTurn(second);
    expect(await limits(second)).toHaveLength(4);
  } finally {
    first.release(true);
    second.release(true);
  }
});

it('an import that loses its connection fails with the reason', async () => {
  await database.db.pool.query(`
    CREATE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END $$;
    CREATE TRIGGER end_connection BEFORE INSERT ON advisories FOR EACH ROW EXECUTE FUNCTION end_connection()`);
  await expect(importRecords(database, [{ id: 'CVE-2026-0001', fixed: '2.0' }])).rejects.toThrow(
    'terminating connection due to administrator command',
  );
});
