import { taggedHosts } from '@plimsoll/model';
import { workerPer } from './worker-under-test.ts';

const worker = workerPer('test');

const found = async () =>
  (await worker.deliveries()).map(({ event, state, items }) => ({
    event,
    state,
    about: items.events.map(({ event: of, subject, hosts: named, host_count }) => [
      of,
      subject,
      named?.map(({ display_name: name }) => name) ?? null,
      host_count,
    ]),
  }));

it('tells nothing that happened before there was a route, and nothing without one that wants it', async () => {
  await worker.tell('feed.failed', 'debian-osv');
  await worker.addRoute({ events: ['host.back'] });
  await worker.tell('feed.failed', 'debian-osv');
  expect(await found()).toEqual([]);
});

it('tells a feed that fails, by a trigger, and cancels it when the feed recovers within the delay', async () => {
  await worker.addRoute({ events: ['feed.failed'], delayMinutes: 10 });
  await worker.sql(`INSERT INTO feeds (id) VALUES ('debian-osv')`);
  const fail = (n: number) =>
    worker.sql(`UPDATE feeds SET consecutive_failures = $1, last_error = 'It hung up.'`, [n]);
  await fail(1);
  await fail(2);
  await worker.collect();
  expect(await found()).toEqual([
    { event: 'feed.failed', state: 'waiting', about: [['feed.failed', 'debian-osv', null, 0]] },
  ]);
  await worker.attemptAll(); // Not due yet.
  await fail(0);
  await worker.advance();
  await worker.attemptAll();
  expect(await worker.deliveries()).toMatchObject(
    [{ state: 'cancelled', attempts: [], endReason: /over before/ }].map((one) => ({
      ...one,
      endReason: expect.stringMatching(one.endReason),
    })),
  );
});

it('tells each receiver only of the hosts that it may know of', async () => {
  const web = await worker.addChannel({ name: 'web', scope: taggedHosts(['web']) });
  const all = await worker.addChannel({ name: 'all' });
  await worker.addRoute({ events: ['host.stale', 'auth.lockout'] }, web);
  await worker.addRoute({ events: ['host.stale'], tags: ['db'] }, web);
  await worker.addRoute({ events: ['host.stale', 'auth.lockout'] }, all);
  const ids = [
    await worker.addHost('a', ['web']),
    await worker.addHost('b', ['db']),
    await worker.addHost('c', ['mail']),
  ];
  await worker.tell('host.stale', '', ids);
  await worker.tell('host.stale', '', [ids[2] ?? '']);
  await worker.tell('auth.lockout', 'user', [], { email: 'a@example.org' });
  const told = (await worker.deliveries()).map(({ channelName, items }) => [
    channelName,
    ...items.events.map(({ event, hosts: named }) => [
      event,
      named?.map(({ display_name: name }) => name) ?? null,
    ]),
  ]);
  expect(told).toHaveLength(4);
  expect(told).toEqual(
    expect.arrayContaining([
      ['web', ['host.stale', ['a']]],
      ['all', ['host.stale', ['a', 'b', 'c']]],
      ['all', ['host.stale', ['c']]],
      ['all', ['auth.lockout', null]],
    ]),
  );
});

it('tells nothing of old conditions that an upgrade added, and reads no host while no route wants it', async () => {
  await worker.addHost('silent');
  await worker.report('1 hour');
  const begun = async () =>
    (await worker.sql('SELECT event, subject FROM notification_conditions ORDER BY 1, 2')).rows;
  expect(await worker.look()).toMatchObject({ begun: 0, failed: [] });
  expect((await begun()).map(({ subject }) => subject)).toEqual(['feed.stale', 'waiver.expiring']);
  await worker.addRoute({ events: ['host.back'] });
  expect(await worker.look()).toMatchObject({ begun: 0, failed: [] });
  expect(await begun()).toContainEqual({ event: 'first look', subject: 'host.stale' });
  expect((await begun()).filter(({ event }) => event === 'host.stale')).toHaveLength(1);
  await worker.addHost('later');
  await worker.report('1 hour');
  expect(await worker.look()).toMatchObject({ begun: 1 });
});

it('makes one message of hundreds of hosts that become stale at once, and tells those that are back', async () => {
  await worker.addRoute({ events: ['host.stale', 'host.back'] });
  await worker.look(); // The first look of an installation tells nothing.
  for (let n = 0; n < 30; n += 1) await worker.addHost(`host-${String(n).padStart(2, '0')}`);
  await worker.report('1 hour');
  await worker.look();
  await worker.look();
  await worker.collect();
  const [message, ...more] = await found();
  expect(more).toEqual([]);
  expect(message).toMatchObject({ event: 'host.stale', about: [['host.stale', '', expect.any(Array), 30]] });
  await worker.report('0 seconds');
  await worker.look();
  await worker.collect();
  expect(await found()).toMatchObject([
    {},
    { event: 'host.back', about: [['host.back', '', expect.any(Array), 30]] },
  ]);
  // The first was over before it was sent.
  await worker.attemptAll();
  expect(await found()).toMatchObject([{ state: 'cancelled' }, { event: 'host.back' }]);
});

it('gathers what comes after ten messages in one, and many events at once in one at once', async () => {
  const channel = await worker.addChannel({});
  await worker.addRoute({ events: ['feed.failed'] }, channel);
  await worker.sql(
    `INSERT INTO feeds (id, consecutive_failures) SELECT 'feed-' || n, 1 FROM generate_series(1, 25) n`,
  );
  for (let n = 1; n <= 13; n += 1) await worker.tell('feed.failed', `feed-${n}`);
  const after = await found();
  expect(after.map(({ event }) => event)).toEqual([...Array(10).fill('feed.failed'), 'summary']);
  expect(after.at(-1)?.about).toHaveLength(3);
  await worker.sql(`DELETE FROM notification_deliveries`);
  await worker.sql(
    `SELECT add_notification_event('feed.failed', 'feed-' || n, '{}', '{}') FROM generate_series(1, 25) n`,
  );
  await worker.collect();
  const [burst, ...more] = await found();
  expect(more).toEqual([]);
  expect(burst).toMatchObject({ event: 'summary' });
  expect(burst?.about).toHaveLength(25);
});

it('puts the events of a day into one digest, and the same subject only once', async () => {
  const digest = { every: 'day', at: '08:00', time_zone: 'UTC' } as const;
  await worker.addRoute({ events: ['feed.failed'], digest });
  for (const feed of ['a', 'b', 'a']) await worker.tell('feed.failed', feed);
  expect(await found()).toMatchObject([
    {
      event: 'digest',
      about: [
        ['feed.failed', 'a', null, 0],
        ['feed.failed', 'b', null, 0],
      ],
    },
  ]);
});

it('tells failing pulls and another host key by a trigger, once', async () => {
  await worker.addRoute({ events: ['pull.failing', 'host_key.changed'] });
  const host = await worker.addHost('ssh');
  await worker.sql(
    `INSERT INTO ssh_key_pairs (id, host_id, public_key, sealed, sealed_to) VALUES ($1, $1, '\\x00', '\\x00', '')`,
    [host],
  );
  await worker.sql(
    `INSERT INTO ssh_targets (host_id, "user", port, frequency_minutes, key_pair_id, next_pull_at) VALUES ($1, 'p', 22, 60, $1, now())`,
    [host],
  );
  for (const failures of [1, 2, 3, 4]) await worker.sql('UPDATE ssh_targets SET failures = $1', [failures]);
  for (let n = 0; n < 2; n += 1)
    await worker.sql(`UPDATE ssh_targets SET other_key_fingerprint = 'SHA256:x'`);
  await worker.collect();
  expect((await found()).map(({ event }) => event).sort()).toEqual(['host_key.changed', 'pull.failing']);
});

it('tells the lockout of an account once an hour, and none of accounts that do not exist', async () => {
  await worker.addRoute({ events: ['auth.lockout'] });
  await worker.sql(
    `INSERT INTO users (id, email, name, role) VALUES (gen_random_uuid(), 'a@example.org', 'A', 'viewer')`,
  );
  const hash = (email: string) => `rtrim(translate(encode(sha256('${email}'), 'base64'), '+/', '-_'), '=')`;
  const wait = (email: string) =>
    worker.sql(`INSERT INTO rate_limits (key, points) VALUES ('login-wait:' || ${hash(email)}, 1)
         ON CONFLICT (key) DO UPDATE SET points = rate_limits.points + 1`);
  for (const email of ['a@example.org', 'a@example.org', 'b@example.org']) await wait(email);
  await worker.collect();
  const told = await worker.deliveries();
  expect(told.map(({ items }) => items.events[0]?.data)).toEqual([{ email: 'a@example.org' }]);
});
