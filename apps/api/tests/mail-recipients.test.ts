import { hashSecret } from '../src/auth/authenticate.ts';
import { adminEmail, apiPerTest, startApi } from './api-under-test.ts';
import { publishKey } from './notified.ts';

const api = apiPerTest(() => startApi({ mailDomains: ['example.org', '*.example.net'] }));

beforeEach(() => publishKey(api.database));

const sql = (text: string, values: unknown[] = []) => api.database.db.pool.query(text, values);
const post = (path: string, json: object = {}, token = api.admin.token) =>
  api.post(`/api/v1${path}`, { token, json });
const addChannel = (addresses: readonly string[]) =>
  post('/channels', { name: 'Mail', kind: 'email', addresses });
const deliveriesOf = async (event: string) =>
  (await api.admin.get(`/api/v1/deliveries?event=${event}`)).body.length;

it('that are of no user must confirm themselves; those of users and old channels need not', async () => {
  const made = await addChannel([adminEmail.toUpperCase(), 'outside@a.example.net']);
  expect([made.status, made.body.unconfirmed]).toEqual([201, ['outside@a.example.net']]);
  expect(await deliveriesOf('confirmation')).toBe(1);
  const { id } = made.body;
  // As in a data folder of a version without confirmations.
  await sql(`UPDATE notification_channels SET unconfirmed = DEFAULT`);
  const kept = ['outside@a.example.net', 'new@example.org'];
  const changed = await api.admin.patch(`/api/v1/channels/${id}`, { json: { addresses: kept } });
  expect([changed.status, changed.body.unconfirmed]).toEqual([200, ['new@example.org']]);
  expect(await deliveriesOf('confirmation')).toBe(2);
});

it('confirm themselves without signing in, and every token that does not gets the same answer', async () => {
  const { id } = (await addChannel(['new@example.org'])).body;
  const begin = (token: string, end: string) =>
    sql(
      `INSERT INTO mail_confirmations (token_hash, channel_id, address, expires_at) VALUES ($1, $2, $3, now() + $4::interval)`,
      [hashSecret(token), id, `${token}@example.org`, end],
    );
  await begin('new', '1 day');
  await begin('over', '-1 second');
  const confirm = async (token: string) => {
    const { status, body } = await api.post('/api/v1/mail-confirmations', { json: { token } });
    return [status, body.detail];
  };
  expect(await confirm('new')).toEqual([204, undefined]);
  const refused = await confirm('new');
  expect(refused[0]).toBe(404);
  expect([await confirm('over'), await confirm('unknown')]).toEqual([refused, refused]);
  const { body } = await api.admin.get('/api/v1/channels');
  expect(body[0].unconfirmed).toEqual([]);
  expect((await post(`/channels/${id}/confirmations`)).status).toBe(409);
  const audit = await api.admin.get('/api/v1/audit-events?limit=1&action=channel.');
  expect(audit.body[0]).toMatchObject({ action: 'channel.address_confirmed', actor_name: 'new@example.org' });
});

it('outside of the permitted domains are refused when they are entered', async () => {
  const refused = await addChannel([adminEmail, 'a@example.net']);
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/addresses/1']);
  const { id } = (await addChannel([adminEmail])).body;
  const change = (addresses: string[]) => api.admin.patch(`/api/v1/channels/${id}`, { json: { addresses } });
  expect((await change(['a@evil.org'])).status).toBe(422);
  // The setting came later than the channel.
  await sql(`UPDATE notification_channels SET addresses = '{a@evil.org}'`);
  const report = { name: 'R', channel_id: id, every: 'week', at: '08:00', time_zone: 'UTC' };
  expect((await post('/bulletins', report)).body.errors[0].pointer).toBe('/channel_id');
});

describe('messages that users trigger', () => {
  /** Requests until one is refused; how many were not, and the seconds to wait. */
  async function untilRefused(ask: () => Promise<{ status: number; headers: Record<string, string> }>) {
    for (let n = 0; n < 20; n += 1) {
      const { status, headers } = await ask();
      if (status === 429) return [n, Number(headers['retry-after'])] as const;
      expect(status).toBeLessThan(300);
    }
    throw new Error('nothing is refused');
  }
  /** Lets a minute pass for all allowances. */
  const aMinute = () => sql(`UPDATE rate_limits SET expire = expire - 60000 WHERE key LIKE 'message:%'`);
  const forget = (kind: string) =>
    sql(`DELETE FROM rate_limits WHERE key LIKE 'message:' || $1 || ':%'`, [kind]);

  it('have an allowance of 5 for each user, channel and report, then one a minute', async () => {
    const channel = (await addChannel([adminEmail])).body.id;
    const report = { name: 'R', channel_id: channel, every: 'week', at: '08:00', time_zone: 'UTC' };
    const { id } = (await post('/bulletins', report)).body;
    const send = async () => {
      // As a notify-worker does.
      await sql(`UPDATE notification_deliveries SET state = 'delivered', ended_at = now()`);
      return post(`/bulletins/${id}/send`);
    };
    for (const kept of ['bulletin', 'channel', 'user']) {
      const onlyKept = async () => {
        for (const other of ['user', 'channel', 'bulletin']) if (other !== kept) await forget(other);
      };
      await forget(kept);
      await onlyKept();
      const [sent, wait] = await untilRefused(send);
      expect([kept, sent, wait > 0 && wait <= 60]).toEqual([kept, 5, true]);
      await onlyKept();
      expect([kept, (await untilRefused(send))[0]]).toEqual([kept, 0]);
      // What was refused took nothing: after a minute there is one more, and not two.
      await aMinute();
      await onlyKept();
      expect([kept, (await untilRefused(send))[0]]).toEqual([kept, 1]);
    }
    expect(await deliveriesOf('bulletin')).toBe(18);
    // Its user is out of messages for all channels, and all that can be sent.
    for (const path of [`/channels/${channel}/test`, `/failed-events/${id}/retry`])
      expect([path, (await post(path)).status]).toEqual([path, 429]);
  });

  it('ask an address at most 3 times at once, whoever enters it', async () => {
    const refused = await untilRefused(async () => {
      await forget('user');
      return addChannel(['victim@example.org']);
    });
    expect(refused[0]).toBe(3);
    expect(refused[1]).toBeGreaterThan(60);
  });
});
