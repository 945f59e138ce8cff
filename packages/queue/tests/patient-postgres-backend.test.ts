import pg from 'pg';
import { freshPostgres } from './on-both-backends.ts';
import { HeldRuns, openTestQueue } from './test-queue.ts';
import { until } from './until.ts';

describe('the PostgreSQL backend', () => {
  it('does not poll continuously while the one job of an exclusive queue runs elsewhere and others wait', async () => {
    const where = await freshPostgres();
    const [busy, idle] = [await openTestQueue(where), await openTestQueue(where)];
    const client = new pg.Client({ connectionString: where.url });
    await client.connect();
    let own = 0;
    const read = async (sql: string) => {
      own += 1;
      return Number(Object.values((await client.query(sql)).rows[0] ?? {})[0]);
    };
    const lastCheck = () =>
      read(`SELECT value FROM bullmq.meta WHERE queue = 'single' AND field = 'stalled-check'`);
    const commits = () => read('SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()');
    const runs = new HeldRuns();
    try {
      busy.consume('single', runs.handler, { concurrency: 1 });
      busy.ringAll('single', [{ id: 'a' }, { id: 'b' }]);
      await until(() => runs.started.length === 1, 'the first run');
      idle.consume('single', runs.handler, { concurrency: 1 });
      const before = await commits();
      // Workers look for stalled jobs at a fixed interval, which serves as a clock here.
      for (let check = 0; check < 8; check += 1) {
        const last = await lastCheck();
        await until(async () => (await lastCheck()) !== last, 'a look for stalled jobs');
      }
      const after = await commits();
      expect(after - before - own).toBeLessThan(500);
      runs.release('a');
      await until(() => runs.started.length === 2, 'the second run');
      runs.release('b');
    } finally {
      await client.end();
      await Promise.all([busy.close({ graceMs: 5_000 }), idle.close({ graceMs: 5_000 })]);
    }
  });
});
