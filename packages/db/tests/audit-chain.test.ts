import { createHash } from 'node:crypto';
import { databasePerTest } from '@plimsoll/testing';
import {
  type AuditChainStore,
  type AuditStore,
  createAuditChain,
  createAuditStore,
  type ExportBatch,
  systemActor,
  verifyAudit,
} from '../src/index.ts';

const database = databasePerTest();
let chain: AuditChainStore;
let audit: AuditStore;

beforeEach(async () => {
  chain = createAuditChain(database.db);
  audit = createAuditStore(database.db);
});

const note = (name: string) =>
  audit.note({
    action: 'user.created',
    actor: systemActor(name),
    target: { kind: 'user', id: `${name}-id`, name },
    details: { text: 'Zeile 1\nZeile "2" \\ ü 😀', words: ['a', 'b'], role: { from: null, to: 'viewer' } },
  });

async function addSealed(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await note(`actor ${n}`);
  await chain.seal(1_000);
}

const sql = (text: string) => database.db.pool.query(text);
const verify = (...known: Parameters<typeof verifyAudit>[1][]) => verifyAudit(database.db, known[0]);

async function exported(target: 'file' | 'syslog' = 'file', most = 100): Promise<readonly ExportBatch[]> {
  const batches: ExportBatch[] = [];
  while ((await chain.exportNext(target, most, async (batch) => void batches.push(batch))) > 0);
  return batches;
}

describe('the chain of audit events', () => {
  it('is whole when nothing was changed, and empty at first', async () => {
    expect(await verify()).toMatchObject({ broken: null, head: null, checked: 0, unsealed: 0 });
    await addSealed(5);
    expect(await verify()).toMatchObject({ broken: null, first: 1, head: { position: 5 }, checked: 5 });
  });

  it('says how many events are not in it yet', async () => {
    await addSealed(2);
    await note('late');
    const verdict = await verify();
    expect(verdict).toMatchObject({ broken: null, checked: 2, unsealed: 1 });
    expect(verdict.unsealedSince).toBeInstanceOf(Date);
  });

  it('has one position per event when many write and seal at once', async () => {
    await Promise.all(
      Array.from({ length: 60 }, async (_none, n) => {
        await note(`writer ${n}`);
        if (n % 3 === 0) await chain.seal(7);
      }),
    );
    while ((await chain.seal(7)) > 0);
    expect(await verify()).toMatchObject({ broken: null, head: { position: 60 }, checked: 60, unsealed: 0 });
  });

  it.each([
    ['an edited actor', `UPDATE audit_events SET actor_name = 'another' WHERE position = 3`, 3, 'changed'],
    [
      'edited details',
      `UPDATE audit_events SET details = details || '{"x":1}' WHERE position = 5`,
      5,
      'changed',
    ],
    ['an edited time', `UPDATE audit_events SET at = at - interval '1 ms' WHERE position = 2`, 2, 'changed'],
    ['an edited hash', `UPDATE audit_events SET hash = sha256(hash) WHERE position = 4`, 4, 'changed'],
    ['a removed row', 'DELETE FROM audit_events WHERE position = 3', 3, 'gone'],
    ['a removed beginning', 'DELETE FROM audit_events WHERE position <= 2', 1, 'gone'],
    ['a removed tail', 'DELETE FROM audit_events WHERE position >= 5', 5, 'the chain ended at 6'],
    [
      'a row that was taken out of the chain',
      'UPDATE audit_events SET position = NULL WHERE position = 2',
      2,
      'gone',
    ],
    [
      'a row below the start',
      'UPDATE audit_events SET position = -4 WHERE position = 2',
      1,
      'before the start',
    ],
    ['an emptied log', 'DELETE FROM audit_events', 1, 'the chain ended at 6'],
    ['removed ends', 'DELETE FROM audit_chain', 0, 'ends of the chain'],
    [
      'a beginning removed with its checkpoint, but without an event',
      `UPDATE audit_chain SET first_position = 3, first_previous = (SELECT hash FROM audit_events WHERE position = 2);
       DELETE FROM audit_events WHERE position <= 2`,
      3,
      'no audit.dropped event',
    ],
  ])('shows %s', async (_what, statement, position, detail) => {
    await addSealed(6);
    await sql(statement);
    expect((await verify()).broken).toEqual({ position, detail: expect.stringContaining(detail) });
  });

  it('compared with what was known shows a chain that was written anew, and a tail removed with its end', async () => {
    await addSealed(6);
    const known = (await exported()).flatMap(({ events }) => events);
    const head = (await verify()).head;
    expect((await verify(known)).broken).toBeNull();
    await sql(`DELETE FROM audit_events WHERE position >= 5;
      UPDATE audit_chain SET head_position = 4, head_hash = (SELECT hash FROM audit_events WHERE position = 4)`);
    expect((await verify()).broken).toBeNull();
    expect((await verify(known)).broken).toMatchObject({
      position: 5,
      detail: expect.stringContaining('up to 6'),
    });
    await addSealed(3);
    expect((await verify()).broken).toBeNull();
    expect((await verify(head === null ? [] : [head])).broken).toMatchObject({
      position: 6,
      detail: expect.stringContaining('rewritten'),
    });
  });

  it('stays verifiable after retention, which notes itself, and drops no event without a position', async () => {
    for (let n = 0; n < 6; n += 1) await note(`actor ${n}`);
    await sql(`UPDATE audit_events SET at = at - interval '2 days' WHERE id IN
      (SELECT id FROM audit_events ORDER BY id LIMIT 4)`);
    await chain.seal(10);
    const known = (await exported()).flatMap(({ events }) => events);
    await note('not sealed');
    await sql(`UPDATE audit_events SET at = at - interval '3 days' WHERE position IS NULL`);
    const before = new Date(Date.now() - 86_400_000 * 1.5);
    expect([await audit.dropBefore(before, 3), await audit.dropBefore(before, 3)]).toEqual([3, 1]);
    expect(await audit.dropBefore(before, 3)).toBe(0);
    while ((await chain.seal(100)) > 0);
    expect(await verify()).toMatchObject({ broken: null, first: 5, head: { position: 9 }, checked: 5 });
    const { rows } = await database.db.pool.query(
      `SELECT id, details FROM audit_events WHERE action = 'audit.dropped' ORDER BY id DESC LIMIT 1`,
    );
    expect(rows[0]).toMatchObject({ details: { events: 1, through_position: 4 } });
    expect(rows[0]?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
    // Those that were dropped cannot be compared any more.
    expect(known).toHaveLength(6);
    expect((await verify(known.slice(0, 4))).unknown).toBe(4);
  });
});

describe('an export', () => {
  it('gives each event once, in order, with hashes that can be checked without the database', async () => {
    await addSealed(5);
    const batches = await exported('file', 2);
    expect(batches.map(({ events, missed }) => [events.length, missed])).toEqual([
      [2, 0],
      [2, 0],
      [1, 0],
    ]);
    let previous = '0'.repeat(64);
    for (const { position, hash, text } of batches.flatMap(({ events }) => events)) {
      expect(createHash('sha256').update(`${previous}\n${text}`).digest('hex')).toBe(hash);
      expect(JSON.parse(text)).toMatchObject({ actor_name: `actor ${position - 1}`, action: 'user.created' });
      previous = hash;
    }
    expect(await exported('file')).toEqual([]);
    expect((await exported('syslog')).flatMap(({ events }) => events)).toHaveLength(5);
  });

  it('gives the same events again if sending failed', async () => {
    await addSealed(3);
    await expect(
      chain.exportNext('syslog', 10, async () => {
        throw new Error('server is away');
      }),
    ).rejects.toThrow('server is away');
    expect((await exported('syslog')).flatMap(({ events }) => events)).toHaveLength(3);
  });

  it('runs in one process at a time, and others do not wait', async () => {
    await addSealed(3);
    let inner = -1;
    await chain.exportNext('file', 10, async () => {
      inner = await chain.exportNext('file', 10, async () => undefined);
    });
    expect(inner).toBe(0);
  });

  it('says how many events retention has dropped before they were exported', async () => {
    await addSealed(4);
    await sql(`DELETE FROM audit_events WHERE position <= 2`);
    expect((await exported()).map(({ missed, events }) => [missed, events.length])).toEqual([[2, 2]]);
  });
});
