import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import { inPgTransaction } from '../src/core/database.ts';
import { applyCurrentRules, createHostCounter, type Database, openDatabase } from '../src/index.ts';
import { helpRecount } from '../src/judging/counting/recount-hosts.ts';
import { planRecount } from '../src/judging/counting/recount-pieces.ts';
import { noteVersionChange } from '../src/knowledge/package-versions.ts';
import { addManualHost } from './manual-host.ts';
import { importRecords, matchedVersion } from './record-import.ts';

/** The least that `database.pool_size` may be. */
const poolSize = 3;

let database: TestDatabase;
let db: Database;
beforeEach(async () => {
  database = await createTestDatabase();
  db = openDatabase({
    databaseUrl: database.urlOf('advisory-worker'),
    poolSize,
    applicationName: 'smallest pool',
    onIdleError: () => undefined,
  });
});
afterEach(async () => {
  await db.close();
  await database.drop();
});

it('has room for an import, new rules and the counting of their hosts at once', async () => {
  await addManualHost(database.db);
  await matchedVersion(database, '1.0');
  await database.db.pool.query('UPDATE releases SET rules = 0');
  const rules = applyCurrentRules(db, { counter: createHostCounter(), signal: new AbortController().signal });
  await Promise.all([rules, importRecords(database, [{ id: 'CVE-2026-0001', fixed: '2.0' }], [], db)]);
  const { rows } = await database.db.pool.query(
    'SELECT (SELECT count(*)::int FROM advisories) AS advisories, (SELECT min(rules) > 0 FROM releases) AS current',
  );
  expect(rows).toEqual([{ advisories: 1, current: true }]);
});

it('lets others in between two pieces of a count', async () => {
  const { pool } = database.db;
  await pool.query(
    `INSERT INTO package_sets (digest, n, ids) SELECT int4send(n), 0, '' FROM generate_series(1, 20001) n`,
  );
  await inPgTransaction(pool, (tx) => noteVersionChange(tx, { versions: [] }));
  await planRecount(database.db);
  const held = [await db.pool.connect(), await db.pool.connect()];
  const counted = helpRecount(db, { counter: createHostCounter() });
  const left = async () => (await db.pool.query('SELECT FROM recount_pieces')).rowCount ?? 0;
  const planned = await left();
  const seen = new Set<number>();
  for (let pieces = planned; pieces > 0; pieces = await left()) seen.add(pieces);
  for (const client of held) client.release();
  await counted;
  expect([...seen].filter((pieces) => pieces < planned)).not.toEqual([]);
});
