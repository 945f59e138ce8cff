import { once } from 'node:events';
import type { Client } from '@plimsoll/testing';
import type { Page } from 'playwright-core';
import {
  adminEmail,
  adminPassword,
  describeDashboard,
  endBrowserSessions,
  signIn,
} from './dashboard-under-test.ts';
import { importSampleFeeds, matched } from './sample-fleet.ts';
import { vulnerableMachine } from './sample-machines.ts';

const machineId = 'c'.repeat(32);

/** Waits until the page is live, and marks it so that a reload would be visible. */
async function followed(page: Page): Promise<void> {
  await page.getByText('Live', { exact: true }).waitFor();
  await page.evaluate(() => document.documentElement.setAttribute('data-same-page', 'yes'));
}

const isSamePage = (page: Page) =>
  page.evaluate(() => document.documentElement.getAttribute('data-same-page') === 'yes');

describeDashboard('what is shown, while it changes', {}, (dashboard) => {
  let client: Client;

  beforeAll(async () => {
    client = await dashboard.setUp();
    await importSampleFeeds(dashboard, client);
  });

  it('is joined by a host that enrols, and by the findings of its upload, without a reload', async () => {
    const list = await dashboard.openAs('/hosts');
    await followed(list);
    const host = await client.enrol('web-1');
    await list.getByRole('link', { name: 'web-1' }).waitFor();
    const page = await dashboard.openAs(`/hosts/${host.id}`);
    await followed(page);
    await client.upload(host.token, vulnerableMachine('web-1', machineId));
    await matched(client, host.id);
    await page.getByText('curl', { exact: true }).first().waitFor();
    expect([await isSamePage(list), await isSamePage(page)]).toEqual([true, true]);
  });

  it('says that it is not live while the server is away, then recovers with what changed meanwhile', async () => {
    const page = await dashboard.openAs('/hosts');
    await followed(page);
    // The list can arrive after the page is live.
    await page.getByRole('link', { name: 'web-1' }).waitFor();
    const [api] = dashboard.service.processes('api');
    if (api === undefined) throw new Error('there is no api');
    const gone = once(api, 'exit');
    api.kill('SIGKILL');
    await gone;
    await page.getByText(/^Disconnected/).waitFor();
    await page.getByRole('link', { name: 'web-1' }).waitFor();
    await dashboard.database.db.prisma.host.updateMany({
      where: { displayName: 'web-1' },
      data: { displayName: 'renamed-1' },
    });
    dashboard.service.start('api');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'renamed-1' }).waitFor();
    expect(await isSamePage(page)).toBe(true);
  });

  it('leads to sign-in when the session is ended elsewhere, and back', async () => {
    const page = await dashboard.openAs('/hosts?status=active');
    await followed(page);
    await endBrowserSessions(dashboard);
    await page.getByText('Your session has ended.').waitFor();
    await signIn(page, { email: adminEmail, password: adminPassword });
    await page.getByRole('heading', { name: 'Hosts', level: 1 }).waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('active');
    await followed(page);
  });
});
