import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Client, waitFor } from '@plimsoll/testing';
import type { Route } from 'playwright-core';
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';

const start = {
  apps: ['api', 'notify-worker'],
  env: { PLIMSOLL_NOTIFICATIONS_ALLOWED_NETWORKS: '127.0.0.0/8' },
} as const;

describeDashboard('the settings of notifications', start, (dashboard) => {
  let client: Client;
  let receiver: http.Server;
  const received: string[] = [];
  let status = 200;

  beforeAll(async () => {
    receiver = http.createServer((request, response) => {
      received.push(String(request.headers['plimsoll-event']));
      response.writeHead(status).end();
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    client = await dashboard.setUp();
  });
  afterAll(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  it('add a channel and a route, test the channel, and show what each attempt gave', async () => {
    const { port } = receiver.address() as AddressInfo; // It listens on TCP.
    const page = await dashboard.openAs('/settings?tab=notifications');
    await page.getByText('No channels').waitFor();
    // There may have been some.
    await page.getByText(/^No messages are stored\./).waitFor();
    await expectGoodLooks(page, 'settings-notifications-empty');
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByLabel('Name').fill('Operations');
    await page.getByLabel('Address', { exact: true }).fill(`http://127.0.0.1:${port}/in`);
    await page.getByLabel('Secret for signatures').fill('a secret of sixteen bytes');
    await expectGoodLooks(page, 'settings-new-channel');
    await page.getByRole('button', { name: 'Add the channel' }).click();
    await page.getByRole('button', { name: 'Test the channel Operations' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The receiver accepted it (200).').waitFor();
    status = 500;
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/It was not accepted\. .*answered 500/).waitFor();
    expect(received).toEqual(['test', 'test']);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add a route' }).click();
    await page.getByLabel('Name').fill('All that is urgent');
    await page.getByRole('dialog').getByText('A host reports again').click();
    await expectGoodLooks(page, 'settings-new-route');
    await page.getByRole('button', { name: 'Add the route' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: 'All that is urgent' })
      .getByText('At once')
      .last()
      .waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'Given up' })
      .getByRole('button', { name: 'Details of the message' })
      .click();
    await page
      .getByRole('region', { name: 'Attempts' })
      .getByText(/failed \(500\)/)
      .waitFor();
    await page.keyboard.press('Escape');
    await expectGoodLooks(page, 'settings-notifications');

    // What others send is shown without a press.
    await page.getByRole('heading', { name: '2 messages' }).waitFor();
    const [channel] = (await client.get('/channels')).body as readonly { readonly id: string }[];
    status = 200;
    await client.send('POST', `/channels/${channel?.id}/test`);
    await page.getByRole('heading', { name: '3 messages' }).waitFor();
    status = 500;
  });

  it('read the messages again without dropping what is being read, and say if that fails', async () => {
    const page = await dashboard.openAs('/settings?tab=notifications');
    await page.clock.install();
    await page.reload();
    await page.getByRole('heading', { name: '3 messages' }).waitFor();
    const deliveries = (url: URL) => url.pathname.endsWith('/deliveries');
    const held: Route[] = [];
    await page.route(deliveries, (route) => void held.push(route));
    await page.clock.fastForward(5_000);
    await waitFor('a poll', () => held.length > 0);
    await page.clock.fastForward(12_000);
    await held[0]?.continue();
    expect((await held[0]?.request().response())?.status()).toBe(200);
    await page.unroute(deliveries);
    await page.route(deliveries, (route) => route.fulfill({ status: 503 }));
    await page.getByText(/^The list could not be read again: it may have changed\./).waitFor();
    await page.unroute(deliveries);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/could not be read again/).waitFor({ state: 'detached' });
  });

  it('show events that could not become messages, and say that one is tried again', async () => {
    await dashboard.database.db.pool.query(
      `INSERT INTO notification_events (event, host_ids, starts, error, failed_at)
       VALUES ('host.back', '{}', 10, 'a field is missing', now() - interval '1 second')`,
    );
    const page = await dashboard.openAs('/settings?tab=notifications');
    await page.getByText('1 event could not be turned into messages.').waitFor();
    await page.getByText(/a field is missing/).waitFor();
    await page.getByText('Given up after 10 attempts.').waitFor();
    await page.getByRole('button', { name: 'Try host.back again' }).press('Enter');
    await page.getByText('The event is tried again.').waitFor();
    await page.getByRole('button', { name: 'Try host.back again' }).waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement !== document.body);
  });

  it('show on a phone which events a route tells, where to and when', async () => {
    const page = await dashboard.openAs('/settings?tab=notifications');
    await page.getByRole('row').filter({ hasText: 'All that is urgent' }).waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    const row = page.getByRole('row').filter({ hasText: 'All that is urgent' });
    for (const words of [/A host reports again/, /Operations/, /At once/])
      expect(await row.getByText(words).filter({ visible: true }).count()).toBeGreaterThan(0);
    const { x = 0, width = 999 } = (await row.getByText(/A host reports again/).boundingBox()) ?? {};
    expect(x + width).toBeLessThanOrEqual(390);
  });

  it('edit channels and routes, send again what was given up, and report by mail with a page that prints', async () => {
    const { pool } = dashboard.database.db;
    await pool.query(`UPDATE notification_deliveries SET event = 'host.back' WHERE state = 'failed'`);
    const page = await dashboard.openAs('/settings?tab=notifications');
    await page.getByRole('button', { name: 'Edit the channel Operations' }).click();
    await page.getByLabel('Name').fill('Ops');
    await page.getByRole('button', { name: 'Change the channel' }).click();
    await page.getByRole('button', { name: 'Edit the route All that is urgent' }).click();
    await page.getByRole('dialog').getByText('A finding becomes overdue').click();
    await page.getByRole('button', { name: 'Change the route' }).click();
    await page.getByRole('row').filter({ hasText: 'A finding becomes overdue' }).waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'Given up' })
      .getByRole('button', { name: /Details/ })
      .click();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The message is sent again, under the same id.').waitFor();
    await page.keyboard.press('Escape');
    // What was sent above has used up what one user may have sent at once.
    await pool.query(`DELETE FROM rate_limits WHERE key LIKE 'message:%'`);
    await page.getByRole('button', { name: 'Add a channel' }).click();
    await page.getByLabel('Name').fill('Mail');
    await page.getByRole('button', { name: /Kind/ }).click();
    await page.getByRole('option', { name: 'E-mail' }).click();
    await page.getByLabel('E-mail addresses').fill('ops@example.org');
    await page.getByRole('button', { name: 'Add the channel' }).click();
    const unconfirmed = page.getByText('Not confirmed, so nothing else is sent to: ops@example.org');
    await unconfirmed.waitFor();
    await page.getByRole('button', { name: 'Ask the addresses of Mail again to confirm themselves' }).click();
    await page.getByText('The addresses are asked again.').waitFor();
    await pool.query(
      `INSERT INTO mail_confirmations (token_hash, channel_id, address, expires_at)
       SELECT sha256('plm_of_the_mail'), id, 'ops@example.org', now() + interval '1 day'
       FROM notification_channels WHERE kind = 'email'
       ON CONFLICT (channel_id, address) DO UPDATE SET token_hash = excluded.token_hash`,
    );
    const outside = await dashboard.open('/confirm-address#plm_of_the_mail');
    await expectGoodLooks(outside, 'confirm-address');
    await outside.getByRole('button', { name: 'Send messages to my address' }).click();
    await outside.getByRole('heading', { name: 'Confirmed' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Test the channel Mail' }).waitFor();
    expect(await unconfirmed.count()).toBe(0);
    await page.getByRole('button', { name: 'Add a report' }).click();
    await page.getByLabel('Name').fill('Every Monday');
    await expectGoodLooks(page, 'settings-new-report');
    await page.getByRole('button', { name: 'Add the report' }).click();
    await page.getByRole('row').filter({ hasText: 'Every Monday at 08:00' }).waitFor();
    await expectGoodLooks(page, 'settings-reports');
    await page.getByRole('link', { name: 'Every Monday' }).click();
    await page.getByText('No host is in this report: nothing is known, neither good nor bad.').waitFor();
    await expectGoodLooks(page, 'report-by-mail-empty');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    expect(await page.getByText('What changed').isVisible()).toBe(true);
  });

  it('one route for several channels; of one that fails the form says so, and adds only what is missing', async () => {
    const page = await dashboard.openAs('/settings?tab=notifications');
    await page.getByText('Messages and reports contain no links:').waitFor();
    await page.getByRole('button', { name: 'Add a route' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Known exploited');
    for (const channel of ['Ops (webhook)', 'Mail (email)']) {
      const box = dialog.getByRole('checkbox', { name: channel });
      if (!(await box.isChecked())) await dialog.getByText(channel).click();
    }
    await expectGoodLooks(page, 'settings-route-to-several');
    const lost = await dashboard.database.db.pool.query<{ id: string }>(
      `SELECT id FROM notification_channels WHERE kind = 'email'`,
    );
    let isRefused = true;
    await page.route('**/api/v1/routes', async (route) => {
      const to = route.request().postDataJSON()?.channel_id;
      if (!isRefused || to !== lost.rows[0]?.id) return route.continue();
      isRefused = false;
      return route.abort();
    });
    await dialog.getByRole('button', { name: 'Add the route' }).click();
    const outcome = dialog.getByText(/The route to “Ops” is added\. To “Mail” it is not:/);
    await outcome.waitFor();
    expect(await outcome.evaluate((shown) => shown.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
    await expectGoodLooks(page, 'settings-route-to-several-failed');
    await dialog.getByRole('button', { name: 'Add the route' }).click();
    await dialog.waitFor({ state: 'detached' });
    const rows = page.getByRole('row').filter({ hasText: 'Known exploited' });
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
    expect(await rows.allInnerTexts()).toEqual(
      expect.arrayContaining([expect.stringContaining('Ops'), expect.stringContaining('Mail')]),
    );
  });
});
