import type { HostId } from '@plimsoll/model';
import { createTestDatabase, enrolHost, issueToken, type TestDatabase, waitFor } from '@plimsoll/testing';
import { type CountedExposures, encodeCounts } from '../src/patching/patch-counts.ts';
import { createPatchMemory } from '../src/patching/patch-memory.ts';
import { PatchTimes } from '../src/patching/patch-times.ts';

let database: TestDatabase;
let host: HostId;
beforeAll(async () => {
  database = await createTestDatabase();
  const { secret } = await issueToken(database.db, { autoApprove: true });
  host = (await enrolHost(database.db, secret)) as HostId;
});
afterAll(() => database.drop());

const dayMs = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs);
const counts = (count: number, from: Date): CountedExposures => ({
  severity: 'important',
  hasFix: true,
  count,
  from: from.getTime(),
  timedFrom: from.getTime(),
  hours: 24,
  stages: { known: null, offered: 3, installed: null, running: null },
});

function fail(error: unknown): void {
  throw error;
}

/** As the walk stores it. */
async function walk(open: number, ended: readonly (readonly [at: Date, cause: string, count: number])[]) {
  const { pool } = database.as('advisory-worker');
  await pool.query('DELETE FROM exposure_ends');
  for (const [at, cause, count] of ended)
    await pool.query('INSERT INTO exposure_ends (host_id, at, cause, counts) VALUES ($1, $2, $3, $4)', [
      host,
      at,
      cause,
      encodeCounts([counts(count, new Date(at.getTime() - 5 * dayMs))]),
    ]);
  await pool.query(
    `INSERT INTO exposure_walks (host_id, sequence, due, open) VALUES ($1, 1, false, $2)
     ON CONFLICT (host_id) DO UPDATE SET open = excluded.open`,
    [host, encodeCounts([counts(open, ago(50))])],
  );
}

it('has what was walked, also after the next walk, and only periods of the last months', async () => {
  await walk(2, [
    [ago(10), 'patched', 3],
    [ago(5), 'advisory_withdrawn', 4],
    [ago(120), 'patched', 5],
  ]);
  const memory = createPatchMemory(database.as('api'), fail);
  await waitFor('the walks in memory', () => memory.isLoaded(ago(20)));
  expect(await memory.isLoaded(ago(110))).toBe(false);
  expect(await memory.current(ago(110))).toBeNull();
  const sum = async (from: Date, to: Date) => {
    const times = new PatchTimes({ from, to }, null);
    const rows = await memory.current(from);
    rows?.addTo(times, host, { from: from.getTime(), to: to.getTime(), isSilent: false });
    rows?.addTo(times, 'another host', { from: from.getTime(), to: to.getTime(), isSilent: false });
    const { closed, open, endedOtherwise, stages } = times.total(null);
    return [closed, open, endedOtherwise.advisory_withdrawn, stages.offered];
  };
  expect(await sum(ago(20), ago(0))).toEqual([3, 2, 4, 3]);
  expect(await sum(ago(20), ago(7))).toEqual([3, 6, 0, 3]);
  expect(await sum(ago(4), ago(0))).toEqual([0, 2, 0, null]);
  await walk(1, [[ago(2), 'patched', 7]]);
  expect(await sum(ago(20), ago(0))).toEqual([7, 1, 0, 3]);
});

it('says why it has nothing', async () => {
  const errors: unknown[] = [];
  // A role that may not read exposures.
  const memory = createPatchMemory(database.as('ssh-worker'), (error) => errors.push(error));
  await waitFor('the error', async () => !(await memory.isLoaded(ago(20))) && errors.length > 0);
  expect(String(errors[0])).toContain('permission denied');
});
