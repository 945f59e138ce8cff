import { createHmac } from 'node:crypto';
import { receiverPerTest } from './receiver.ts';
import { startWorker, workerPer } from './worker-under-test.ts';

const worker = workerPer('test');
const receiver = receiverPerTest();

/** A route for lockouts, which are never over, and one event of it. */
async function oneDelivery(url = receiver.url, secret?: string, on = worker) {
  const channel = await on.addChannel({ url, ...(secret === undefined ? {} : { secret }) });
  await on.addRoute({ events: ['auth.lockout'] }, channel);
  await on.tell('auth.lockout', 'user-1', [], { email: 'a@example.org' });
  const [delivery] = await on.deliveries();
  if (delivery === undefined) throw new Error('no delivery was written');
  return { channel, id: delivery.id };
}
const only = async () => (await worker.deliveries())[0];

it('delivers an event once, signed, and not again', async () => {
  const { id } = await oneDelivery(receiver.url, 'a secret of sixteen bytes');
  await worker.attemptAll();
  await worker.attemptAll();
  await worker.attempt(id);
  const [request, ...more] = receiver.received;
  expect(more).toEqual([]);
  expect(request?.headers['plimsoll-delivery']).toBe(id);
  const signed = `${String(request?.headers['plimsoll-timestamp'])}.${request?.body ?? ''}`;
  expect(request?.headers['plimsoll-signature']).toBe(
    `sha256=${createHmac('sha256', 'a secret of sixteen bytes').update(signed).digest('hex')}`,
  );
  expect(JSON.parse(request?.body ?? '')).toMatchObject({
    event: 'auth.lockout',
    data: { email: 'a@example.org' },
  });
  expect(await only()).toMatchObject({
    state: 'delivered',
    attempts: [{ n: 1, outcome: 'accepted', status: 200 }],
  });
});

it.each([
  [500, /answered 500/],
  [302, /redirect/],
  ['close', /broke off/],
  ['hang', /did not answer within 10 seconds/],
] as const)(
  'tries again after %s, under the same id and with the same body',
  async (fault, words) => {
    await oneDelivery();
    receiver.behaves(fault === 302 ? { redirect: 'http://169.254.169.254/latest' } : fault);
    await worker.attemptAll();
    expect(await only()).toMatchObject({
      state: 'waiting',
      attempts: [{ outcome: 'failed', error: expect.stringMatching(words) }],
    });
    await worker.attemptAll(); // Not due yet.
    receiver.behaves(204);
    await worker.advance();
    await worker.attemptAll();
    const ids = new Set(
      receiver.received.map(({ headers, body }) => `${String(headers['plimsoll-delivery'])} ${body}`),
    );
    expect([receiver.received.length, ids.size]).toEqual([2, 1]);
    expect(await only()).toMatchObject({ state: 'delivered', attempts: [{ n: 1 }, { n: 2, status: 204 }] });
  },
  60_000,
);

it('is given up after a day, with the reason', async () => {
  await oneDelivery();
  receiver.behaves(503);
  await worker.sql(`UPDATE notification_deliveries SET due_at = now() - interval '24 hours'`);
  await worker.attemptAll();
  expect(await only()).toMatchObject({
    state: 'failed',
    nextAttemptAt: null,
    endReason: expect.stringMatching(/503/),
  });
});

it('connects to no address that is not allowed', async () => {
  const strict = await startWorker({ allowed: [] });
  try {
    await oneDelivery(receiver.url, undefined, strict);
    await strict.attemptAll();
    expect(receiver.received).toEqual([]);
    const [only] = await strict.deliveries();
    expect(only?.attempts[0]?.error).toMatch(/notifications\.allowed_networks/);
  } finally {
    await strict.stop();
  }
});

it('is sent by one of two workers that take it at once', async () => {
  const { id } = await oneDelivery();
  await Promise.all(Array.from({ length: 5 }, () => worker.attempt(id)));
  expect(receiver.received).toHaveLength(1);
});

it('is sent at once if the time of its next attempt was set by a clock that was a year ahead', async () => {
  await oneDelivery();
  await worker.sql(
    `UPDATE notification_deliveries SET due_at = now() + interval '366 days', next_attempt_at = now() + interval '366 days'`,
  );
  receiver.behaves(503);
  await worker.attemptAll();
  expect(await only()).toMatchObject({ state: 'waiting', attempts: [{ status: 503 }] });
  expect((await only())?.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
});

// A lease of a year: the clock was ahead.
it.each([`now() - interval '1 second'`, `now() + interval '366 days'`])(
  'is sent again under the same id when its worker is gone and the lease is over: %s',
  async (over) => {
    const { id } = await oneDelivery();
    const { pool } = worker.database.db;
    await pool.query(
      `UPDATE notification_deliveries SET state = 'sending', attempts = 1, leased_until = now() + interval '1 minute'`,
    );
    await worker.attempt(id);
    expect(receiver.received).toEqual([]);
    await pool.query(`UPDATE notification_deliveries SET leased_until = ${over}`);
    await worker.attemptAll();
    expect(receiver.received.map(({ headers }) => headers['plimsoll-delivery'])).toEqual([id]);
  },
);

it('is cancelled when its channel is paused or deleted', async () => {
  const { channel } = await oneDelivery();
  await worker.sql('UPDATE notification_channels SET paused_at = now()');
  await worker.attemptAll();
  expect(await only()).toMatchObject({ state: 'cancelled', endReason: 'Its channel is paused.' });
  await worker.sql('DELETE FROM notification_channels WHERE id = $1', [channel]);
  expect(await only()).toMatchObject({ channelId: null, channelName: 'Channel' });
  expect(receiver.received).toEqual([]);
});
