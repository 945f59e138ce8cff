import { once } from 'node:events';
import { createMetrics } from '@plimsoll/process';
import { waitFor } from '@plimsoll/testing';
import { createApp } from '../src/create-app.ts';
import { createCollectorKeeper, keepFromStart } from '../src/scripts/collector-keeper.ts';
import { closeHttpServer } from '../src/server/close-http-server.ts';
import { createHttpServer } from '../src/server/http-server.ts';
import { apiPerFile } from './api-under-test.ts';
import { createCheckedClient } from './checked-client.ts';
import { newHost, sshFleetOf } from './ssh-fleet.ts';
import { createTestLogger } from './test-logger.ts';

const api = apiPerFile();

const newKeeper = () => createCollectorKeeper(api.context.stores.collectors, api.context.scripts.collector);
const kept = () =>
  api.context.stores.collectors.find(Buffer.from(api.context.scripts.collector.sha256, 'hex'));

/** Runs `work` while the database does not store collectors. */
async function withoutStore<T>(work: () => Promise<T>): Promise<T> {
  await api.database.db.pool.query('ALTER TABLE collectors RENAME TO collectors_away');
  try {
    return await work();
  } finally {
    await api.database.db.pool.query('ALTER TABLE collectors_away RENAME TO collectors');
  }
}

describe('the collector of a server that starts', () => {
  it('is stored as soon as the database accepts it', async () => {
    const log = createTestLogger();
    const { keeping } = await withoutStore(async () => {
      const started = keepFromStart(newKeeper(), log.logger, new AbortController().signal);
      await waitFor('a first try', () => log.lines.some(({ msg }) => msg === 'collector not kept yet'));
      return { keeping: started };
    });
    await keeping;
    expect((await kept())?.script.length).toBe(api.context.scripts.collector.script.length);
  });

  it('does not delay a server that stops', async () => {
    const stopping = new AbortController();
    const log = createTestLogger();
    await withoutStore(async () => {
      const keeping = keepFromStart(newKeeper(), log.logger, stopping.signal);
      await waitFor('a first try', () => log.lines.some(({ msg }) => msg === 'collector not kept yet'));
      stopping.abort();
      await keeping;
    });
  });
});

it('is stored before any line with its hash is sent; without it no line is sent', async () => {
  await sshFleetOf(api).add();
  const [host] = (await api.admin.get('/api/v1/hosts')).body;
  await api.database.db.pool.query('DELETE FROM collectors');
  const app = createApp({ ...api.context, metrics: createMetrics(), collectorKeeper: newKeeper() });
  const server = createHttpServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = createCheckedClient(server);
  const calls = [
    () => client.get(`/api/v1/hosts/${host.id}`, { token: api.admin.token }),
    () => client.post(`/api/v1/hosts/${host.id}/ssh/rotate-key`, { token: api.admin.token }),
    () => client.post('/api/v1/hosts/ssh', { token: api.admin.token, json: newHost }),
  ];
  try {
    for (const call of calls) {
      const answer = await withoutStore(call);
      expect([answer.status, answer.text.includes('ssh-ed25519')]).toEqual([500, false]);
    }
    expect(await kept()).toBeNull();
    for (const call of calls) {
      expect((await call()).status).toBeLessThan(300);
      expect(await kept()).not.toBeNull();
    }
    // The refused request left nothing behind.
    expect(await api.database.db.prisma.host.count()).toBe(2);
  } finally {
    await closeHttpServer(server);
  }
});
