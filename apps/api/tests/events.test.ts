import type { ServerEvent } from '@plimsoll/contract';
import { createFeedStore } from '@plimsoll/db';
import { wholeFleet } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import jwt from 'jsonwebtoken';
import { apiPerTest, enrol, jwtSecretKey, startApi, withAdmin } from './api-under-test.ts';
import { type EventReader, openEvents } from './event-reader.ts';
import { fleetOf } from './fleet.ts';
import { sampleReport } from './sample-report.ts';
import { sshFleetOf } from './ssh-fleet.ts';
import { addUser } from './users.ts';

let readers: EventReader[] = [];
afterEach(() => {
  for (const reader of readers) reader.leave();
  readers = [];
});
const api = apiPerTest(() => startApi({}, undefined, { streamsPerUser: 3, heartbeatMs: 100 }));

async function open(ofToken = api.admin.token, headers = {}): Promise<EventReader> {
  const reader = await openEvents(api.url, ofToken, headers);
  readers.push(reader);
  return reader;
}

const hostEvent = (part: 'created' | 'changed' | 'deleted', id: string) => (event: ServerEvent) =>
  event.name === 'host' && event.data[part].includes(id);

describe('the stream of events', () => {
  it('reports added, changed and deleted hosts, and that counts may have changed', async () => {
    const reader = await open();
    expect([reader.status, reader.headers.get('content-type'), reader.headers.get('cache-control')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
      'no-store',
    ]);
    const { id } = await enrol(api);
    await reader.find(hostEvent('created', id));
    await reader.find(({ name }) => name === 'fleet');
    await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: ['a'] } });
    await reader.find(hostEvent('changed', id));
    await api.admin.delete(`/api/v1/hosts/${id}`);
    await reader.find(hostEvent('deleted', id));
  });

  it('continues after an unknown message on the channel', async () => {
    const reader = await open();
    const { pool } = api.database.db;
    for (const said of ['', 'no JSON', '[]', '{"kind":"colour"}']) {
      await pool.query('SELECT pg_notify($1, $2)', ['plimsoll_changes', said]);
    }
    const { id } = await enrol(api);
    await reader.find(hostEvent('created', id));
  });

  it('recounts the fleet before it reports that counts may have changed', async () => {
    const { fleet } = api.context.stores;
    const { hosts } = (await fleet.summarise(wholeFleet)).totals;
    const reader = await open();
    await enrol(api);
    await reader.find(({ name }) => name === 'fleet');
    expect((await fleet.summarise(wholeFleet)).totals.hosts).toBe(hosts + 1);
  });

  it('reports the end of pulls and uploads, with their host', async () => {
    const reader = await open();
    const fleet = sshFleetOf(api);
    const host = await fleet.add();
    const { body: job } = await fleet.pullNow(host);
    const uploadId = await fleet.succeed(await fleet.begin(job.id));
    await reader.find(
      ({ name, data }) =>
        name === 'pull_job' &&
        data.pull_jobs.some(
          (pull) => pull.id === job.id && pull.host_id === host && pull.status === 'succeeded',
        ),
    );
    await reader.find(
      ({ name, data }) =>
        name === 'upload' &&
        data.uploads.some((one) => one.id === uploadId && one.host_id === host && one.state === 'matched'),
    );
  });

  it('reports feeds whose state changed', async () => {
    await api.context.stores.feeds.ensure(['debian-osv']);
    const reader = await open();
    await createFeedStore(api.database.as('advisory-worker')).fail('debian-osv', {
      cause: 'dns',
      sentence: 'not reachable',
      retryAfterMs: null,
    });
    await reader.find(({ name, data }) => name === 'feed' && data.feed_ids.includes('debian-osv'));
  });

  it('reports to all clients, viewers too, and gives the reconnection time', async () => {
    const viewer = await addUser(api, 'viewer');
    const [first, second] = [await open(), await open(viewer.token)];
    const host = await fleetOf(api).addHost();
    await Promise.all([first.find(hostEvent('created', host)), second.find(hostEvent('created', host))]);
    expect(second.text()).toMatch(/^retry: \d+\nid: \S+\n\n/);
  });

  it('keeps the connection alive while nothing happens', async () => {
    const reader = await open();
    await waitFor('a heartbeat', async () => reader.text().includes('\n: alive\n\n'));
    expect(reader.events).toEqual([]);
  });

  it('continues after the last event that the client saw', async () => {
    const reader = await open();
    const seen = await fleetOf(api).addHost();
    await reader.find(hostEvent('created', seen));
    await reader.find(({ name }) => name === 'fleet');
    const lastId = reader.lastId();
    const other = await open();
    reader.leave();
    const missed = await fleetOf(api).addHost();
    await other.find(hostEvent('created', missed));
    const again = await open(api.admin.token, { 'Last-Event-ID': lastId });
    await again.find(hostEvent('created', missed));
    expect(again.events.some(hostEvent('created', seen))).toBe(false);
    expect(again.events.some(({ name }) => name === 'resync')).toBe(false);
  });

  it.each(['of another process.7', 'x', '0', '../../etc/passwd'])(
    'says what to fetch again for the unknown event %s',
    async (id) => {
      const reader = await open(api.admin.token, { 'Last-Event-ID': id });
      expect(await reader.find(({ name }) => name === 'resync')).toEqual({
        name: 'resync',
        data: { events: ['host', 'pull_job', 'upload', 'feed', 'fleet'] },
      });
    },
  );

  it('reports 5,000 simultaneous changes in a few events without a list of hosts', async () => {
    const { pool } = api.database.db;
    await pool.query(
      `INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
       SELECT gen_random_uuid(), 'agent', 'approved', 'h' || n, 'h' || n FROM generate_series(1, 5000) n`,
    );
    const reader = await open();
    for (let n = 0; n < 20; n += 1)
      await pool.query(`UPDATE hosts SET agent_version = $1 WHERE display_name LIKE 'h%'`, [`1.${n}`]);
    const resync = await reader.find(({ name }) => name === 'resync');
    expect(resync.data).toEqual({ events: ['host'] });
    expect(reader.events.filter(({ name }) => name === 'host')).toEqual([]);
    expect(reader.text().length).toBeLessThan(5_000);
  });

  it('survives the loss of its database connection and says what to fetch again', async () => {
    const reader = await open();
    await api.database.db.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    const resync = await reader.find(({ name }) => name === 'resync');
    expect(resync.data).toEqual({ events: ['host', 'pull_job', 'upload', 'feed', 'fleet'] });
    const host = await fleetOf(api).addHost();
    await reader.find(hostEvent('created', host));
    expect(reader.isOver()).toBe(false);
  });
});

describe('the stream ends', () => {
  it('with a logout', async () => {
    const viewer = await addUser(api, 'viewer');
    const [theirs, other] = [await open(viewer.token), await open()];
    await api.post('/api/v1/auth/logout', { token: viewer.token });
    await theirs.untilOver();
    expect(other.isOver()).toBe(false);
  });

  it.each([
    ['disabled', (id: string) => api.admin.patch(`/api/v1/users/${id}`, { json: { disabled: true } })],
    [
      'given another role',
      (id: string) => api.admin.patch(`/api/v1/users/${id}`, { json: { role: 'operator' } }),
    ],
    ['deleted', (id: string) => api.admin.delete(`/api/v1/users/${id}`)],
  ])('when its user is %s', async (_, change) => {
    const viewer = await addUser(api, 'viewer');
    const theirs = await open(viewer.token);
    expect((await change(viewer.id)).status).toBeLessThan(300);
    await theirs.untilOver();
    expect((await open(viewer.token)).status).toBe(401);
  });

  it('when a session was ended while the database connection was lost', async () => {
    const viewer = await addUser(api, 'viewer');
    const theirs = await open(viewer.token);
    const client = await api.database.db.pool.connect();
    await client.query('ALTER TABLE users DISABLE TRIGGER users_updated');
    await client.query('UPDATE users SET token_generation = token_generation + 1 WHERE id = $1', [viewer.id]);
    await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND query LIKE 'LISTEN%'`);
    client.release();
    await theirs.untilOver();
  });

  it('when its user opens more than the limit, the oldest first, and later clients of others stay', async () => {
    const viewer = await addUser(api, 'viewer');
    const theirs = await open(viewer.token);
    const [first, second, third, fourth] = [await open(), await open(), await open(), await open()];
    await first.untilOver();
    expect(first.text()).toMatch(/\nretry: 30000\n\n$/);
    expect([second, third, fourth, theirs].map((reader) => reader.isOver())).toEqual([
      false,
      false,
      false,
      false,
    ]);
    const host = await fleetOf(api).addHost();
    await Promise.all([fourth, theirs].map((reader) => reader.find(hostEvent('created', host))));
  });

  it('when all places are taken, the oldest of the user with the most', async () => {
    const full = await withAdmin(() => startApi({}, undefined, { streams: 3, streamsPerUser: 3 }));
    try {
      const mine = [1, 2, 3].map(() => openEvents(full.url, full.admin.token));
      const [oldest, ...others] = await Promise.all(mine);
      const viewer = await addUser(full, 'viewer');
      const newcomer = await openEvents(full.url, viewer.token);
      expect(newcomer.status).toBe(200);
      const all = [oldest, ...others].flatMap((reader) => (reader === undefined ? [] : [reader]));
      await waitFor('one of the admin to end', () => all.filter((reader) => reader.isOver()).length === 1);
      // Two and one: the viewer's second would take as many from the admin as it gives the viewer.
      expect((await openEvents(full.url, viewer.token)).status).toBe(429);
      expect(newcomer.isOver()).toBe(false);
      for (const reader of [...all, newcomer]) reader.leave();
    } finally {
      await full.stop();
    }
  });

  it('with the token', async () => {
    const claims = jwt.decode(api.admin.token) as jwt.JwtPayload; // the API's own
    const soon = { ...claims, exp: Math.floor(Date.now() / 1000) + 2 };
    const reader = await open(jwt.sign(soon, jwtSecretKey, { algorithm: 'HS256' }));
    expect(reader.status).toBe(200);
    await reader.untilOver();
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(soon.exp);
  });

  it('when the service stops, which then opens no new one', async () => {
    const reader = await open();
    await api.context.events.close();
    await reader.untilOver();
    expect((await open()).status).toBe(503);
  });
});

describe('no stream begins', () => {
  it('for HEAD, which does not leave one open', async () => {
    for (let n = 0; n < 5; n += 1) {
      const head = await fetch(`${api.url}/api/v1/events`, {
        method: 'HEAD',
        headers: { Authorization: `Bearer ${api.admin.token}` },
      });
      expect(head.status).toBe(200);
    }
    expect((await open()).status).toBe(200);
  });
});

it('reports a manual report to its end', async () => {
  const reader = await open();
  const fleet = fleetOf(api);
  const host = await fleet.addHost();
  const { body } = await fleet.sendAndWait(host, sampleReport());
  await reader.find(
    ({ name, data }) =>
      name === 'upload' && data.uploads.some(({ id, state }) => id === body.report_id && state === 'matched'),
  );
});
