import { databasePerFile, waitFor } from '@plimsoll/testing';
import { afterImports } from '../src/core/after-imports.ts';
import { endImportTurn, takeImportTurn } from '../src/core/locks.ts';
import type { Statements } from '../src/core/transaction.ts';

const database = databasePerFile();

/** A step that waits, and whether it may go on. */
function step(isAwaited = () => false) {
  const { pool } = database.as('scheduler');
  const state = { isOver: false, looks: 0, done: Promise.resolve() };
  const watched: Statements = {
    query: (text, values) => {
      if (text.includes('advisory_xact_lock')) state.looks += 1;
      return pool.query(text, values);
    },
  };
  state.done = afterImports(watched, { mostMs: 60_000, isAwaited })().then(() => {
    state.isOver = true;
  });
  return state;
}

/** Waits until a step has looked with what is stored now, and returns whether it went on. */
async function goesOn(waiting: ReturnType<typeof step>): Promise<boolean> {
  const { looks } = waiting;
  await waitFor('another look to end', async () => waiting.isOver || waiting.looks > looks + 1);
  return waiting.isOver;
}

async function whileImporting(work: () => Promise<void>): Promise<void> {
  const client = await database.db.pool.connect();
  try {
    await takeImportTurn(client);
    await work();
  } finally {
    await endImportTurn(client);
    client.release();
  }
}

test('background work waits until an import has ended and its hosts are counted', async () => {
  const { pool } = database.db;
  let waiting = step();
  expect(await goesOn(waiting)).toBe(true);
  await whileImporting(async () => {
    waiting = step();
    expect(await goesOn(waiting)).toBe(false);
    await pool.query(`INSERT INTO version_changes (ids, releases, counted) VALUES ('', '{}', false)`);
  });
  expect(await goesOn(waiting)).toBe(false);
  await pool.query('INSERT INTO recount_pieces (changes) SELECT array_agg(n) FROM version_changes');
  await pool.query('UPDATE version_changes SET counted = true');
  expect(await goesOn(waiting)).toBe(false);
  await pool.query('DELETE FROM recount_pieces');
  await waiting.done;
});

test('a count that a request begins to wait for goes on during an import', async () => {
  await whileImporting(async () => {
    let isAwaited = false;
    const waiting = step(() => isAwaited);
    expect(await goesOn(waiting)).toBe(false);
    isAwaited = true;
    await waiting.done;
  });
});

test('background work waits for a limited time in all', async () => {
  await whileImporting(async () => {
    const wait = afterImports(database.as('scheduler').pool, { mostMs: 300 });
    await wait();
    const startedAt = performance.now();
    await wait();
    expect(performance.now() - startedAt).toBeLessThan(200);
  });
});
