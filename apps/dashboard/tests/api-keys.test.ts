import type { Client } from '@plimsoll/testing';
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';

const limited = { email: 'otto@example.org', password: 'operate some of the hosts' };

describeDashboard('keys and limits', { apps: ['api'] }, (dashboard) => {
  let client: Client;

  beforeAll(async () => {
    client = await dashboard.setUp();
    const user = { ...limited, role: 'operator', tags: ['db', 'web'] };
    expect((await client.send('POST', '/users', user)).status).toBe(201);
  });

  it('create an API key, show it once, and end it', async () => {
    const page = await dashboard.openAs('/settings?tab=keys');
    await page.getByRole('button', { name: 'Create an API key' }).click();
    await page.getByLabel('Name').fill('backup');
    await page.getByLabel('Only hosts with one of these tags').fill('web, db');
    await page.getByLabel('Only from these addresses').fill('127.0.0.0/8, ::1');
    await expectGoodLooks(page, 'settings-new-key');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const key =
      (await page.getByRole('region', { name: 'key', exact: true }).locator('pre').textContent()) ?? '';
    expect(key).toMatch(/^plk_[\w-]{43}$/);
    const headers = { Authorization: `Bearer ${key}` };
    const url = `${dashboard.service.url}/api/v1/hosts`;
    expect((await fetch(url, { headers })).status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const row = page.getByRole('row').filter({ hasText: 'backup' });
    await row.getByText('hosts tagged db, web').waitFor();
    expect(await page.content()).not.toContain(key);
    await expectGoodLooks(page, 'settings-keys');
    await row.getByRole('button', { name: 'End the key backup' }).click();
    await page.getByRole('button', { name: 'End the key', exact: true }).click();
    await page.getByText('No API keys').waitFor();
    expect((await fetch(url, { headers })).status).toBe(401);
  });

  it('tell a limited user which hosts are shown, and ask for one of the tags', async () => {
    const page = await dashboard.openAs('/', limited);
    await page.getByText('You see only hosts tagged db or web').waitFor();
    await expectGoodLooks(page, 'fleet-limited');
    await page.goto(`${dashboard.service.url}/add-hosts?way=manual`);
    await page.getByLabel('Hostname').fill('db-1.example.org');
    await page.getByLabel('Tags').fill('mail');
    await page.getByRole('button', { name: 'Add the host' }).click();
    await page.getByText('must contain at least one of: db, web', { exact: true }).waitFor();
    await page.getByLabel('Tags').fill('mail, db');
    // The error goes when the field is left, which moves the button.
    await page.getByLabel('Tags').press('Tab');
    await page
      .getByText('must contain at least one of: db, web', { exact: true })
      .waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Add the host' }).click();
    await page.waitForURL(/host=/);
  });

  it("change a user's tags", async () => {
    const page = await dashboard.openAs('/settings?tab=users');
    await page.getByRole('row').filter({ hasText: limited.email }).getByText('tagged db or web').waitFor();
    await page.getByRole('button', { name: limited.email }).click();
    await page.getByLabel('Only hosts with one of these tags').fill('mail');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('row').filter({ hasText: limited.email }).getByText('tagged mail').waitFor();
  });
});
