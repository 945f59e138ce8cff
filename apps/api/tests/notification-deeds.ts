import { waitFor } from '@plimsoll/testing';
import { hashSecret } from '../src/auth/authenticate.ts';
import { type ApiUnderTest, adminEmail } from './api-under-test.ts';
import type { Deeds } from './deeds.ts';
import { publishKey } from './notified.ts';

/** Calls of operations on channels, routes, reports by mail and what they send. */
export function notificationDeeds(api: ApiUnderTest): Deeds {
  async function addChannel() {
    await publishKey(api.database);
    const json = {
      name: 'Chat',
      kind: 'webhook',
      url: 'https://a.example/in',
      secret: 'a battery of sixteen bytes',
    };
    return api.admin.post('/api/v1/channels', { json });
  }

  async function addRoute() {
    const json = { name: 'R', channel_id: (await addChannel()).body.id, events: ['finding.new'] };
    return api.admin.post('/api/v1/routes', { json });
  }

  async function addBulletin() {
    const mail = { name: 'Mail', kind: 'email', addresses: [adminEmail] };
    await addChannel();
    const { body } = await api.admin.post('/api/v1/channels', { json: mail });
    const json = { name: 'Weekly', channel_id: body.id, every: 'week', at: '08:00', time_zone: 'UTC' };
    return api.admin.post('/api/v1/bulletins', { json });
  }

  async function addUnconfirmed() {
    await allowMessages();
    await addChannel();
    const json = { name: 'Mail', kind: 'email', addresses: [`${crypto.randomUUID()}@example.com`] };
    return api.admin.post('/api/v1/channels', { json });
  }

  /** Other deeds may have used up what the admin may have sent. */
  const allowMessages = () =>
    api.database.db.pool.query(`DELETE FROM rate_limits WHERE key LIKE 'message:%'`);

  return {
    sendConfirmations: async () =>
      api.admin.post(`/api/v1/channels/${(await addUnconfirmed()).body.id}/confirmations`),
    confirmAddress: async () => {
      const { id, addresses } = (await addUnconfirmed()).body;
      await api.database.db.pool.query(
        `INSERT INTO mail_confirmations (token_hash, channel_id, address, expires_at)
         VALUES ($1, $2, $3, now() + interval '1 day')`,
        [hashSecret('plm_of_a_mail'), id, addresses[0]],
      );
      return api.post('/api/v1/mail-confirmations', { json: { token: 'plm_of_a_mail' } });
    },
    createChannel: addChannel,
    updateChannel: async () =>
      api.admin.patch(`/api/v1/channels/${(await addChannel()).body.id}`, {
        json: { paused: true, secret: 'another battery of sixteen bytes' },
      }),
    deleteChannel: async () => api.admin.delete(`/api/v1/channels/${(await addChannel()).body.id}`),
    testChannel: async () => {
      await allowMessages();
      const { body } = await addChannel();
      const answer = api.admin.post(`/api/v1/channels/${body.id}/test`);
      // As a notify-worker does.
      const deliver = `UPDATE notification_deliveries SET state = 'delivered', ended_at = now() WHERE event = 'test'`;
      const { pool } = api.database.db;
      await waitFor('the test', async () => ((await pool.query(deliver)).rowCount ?? 0) > 0);
      return answer;
    },
    resendDelivery: async () => {
      await allowMessages();
      const { body } = await addChannel();
      const { rows } = await api.database.db.pool.query<{ id: string }>(
        `INSERT INTO notification_deliveries (id, channel_id, channel_name, channel_kind, route_name, is_limited, event, state,
           items, due_at, next_attempt_at, ended_at)
         VALUES (gen_random_uuid(), $1, 'Chat', 'webhook', 'R', false, 'finding.new', 'failed',
           '{"events": [], "omitted": 0}', now(), now(), now()) RETURNING id`,
        [body.id],
      );
      return api.admin.post(`/api/v1/deliveries/${rows[0]?.id ?? ''}/resend`);
    },
    retryFailedEvent: async () => {
      await allowMessages();
      const { rows } = await api.database.db.pool.query<{ id: string }>(
        `INSERT INTO notification_events (event, host_ids, starts, error, failed_at)
         VALUES ('ledger.knowledge', '{}', 10, 'no number', now()) RETURNING id`,
      );
      return api.admin.post(`/api/v1/failed-events/${rows[0]?.id ?? ''}/retry`);
    },
    createBulletin: addBulletin,
    updateBulletin: async () =>
      api.admin.patch(`/api/v1/bulletins/${(await addBulletin()).body.id}`, { json: { paused: true } }),
    deleteBulletin: async () => api.admin.delete(`/api/v1/bulletins/${(await addBulletin()).body.id}`),
    sendBulletin: async () => {
      await allowMessages();
      return api.admin.post(`/api/v1/bulletins/${(await addBulletin()).body.id}/send`);
    },
    createRoute: addRoute,
    updateRoute: async () =>
      api.admin.patch(`/api/v1/routes/${(await addRoute()).body.id}`, { json: { delay_minutes: 5 } }),
    deleteRoute: async () => api.admin.delete(`/api/v1/routes/${(await addRoute()).body.id}`),
  };
}
