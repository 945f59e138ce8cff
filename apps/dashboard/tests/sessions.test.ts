import { waitFor } from '@plimsoll/testing';
import type { Page } from 'playwright-core';
import {
  adminEmail,
  adminPassword,
  describeDashboard,
  endBrowserSessions,
  expectGoodLooks,
  signIn,
} from './dashboard-under-test.ts';

describeDashboard('a session of the dashboard', { apps: ['api'] }, (dashboard) => {
  const accountOf = (page: Page) => page.getByRole('heading', { name: 'Your account' }).waitFor();

  it('goes on after a reload and in another tab, and no script can read its credentials', async () => {
    const page = await dashboard.openAs('/account');
    await page.reload();
    await accountOf(page);
    const other = await page.context().newPage();
    await other.goto(`${dashboard.service.url}/account`);
    await accountOf(other);
    const readable = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]),
    );
    expect(readable).not.toMatch(/eyJ|plf_/);
    const [cookie] = await page.context().cookies(`${dashboard.service.url}/api/v1/auth/refresh`);
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/v1/auth/refresh' });
  });

  it('keeps the selected hosts over a reload until the sign-out, for the same user and without trusting the storage', async () => {
    const client = await dashboard.setUp();
    for (const name of ['alpha', 'bravo', 'charlie']) await client.enrol(name);
    const page = await dashboard.openAs('/hosts');
    const selected = (text: string) => page.getByRole('status').getByText(text, { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select bravo' }).click({ force: true });
    await selected('1 of 3 hosts selected');
    await page.reload();
    await selected('1 of 3 hosts selected');
    expect(await page.getByRole('checkbox', { name: 'Select bravo' }).isChecked()).toBe(true);
    await page.getByPlaceholder('Search by name').fill('alpha');
    await selected('1 host selected (1 not in this view)');

    const note = 'plimsoll.tab.selected-hosts';
    const stored = await page.evaluate((name) => sessionStorage.getItem(name) ?? '', note);
    const { user, value } = JSON.parse(stored);
    const [first] = value.hosts;
    const odd = (host: object) => JSON.stringify({ user, value: { hosts: [{ ...first, host }] } });
    for (const hostile of [
      '{"user"',
      'null',
      JSON.stringify({ user, value: 'all' }),
      JSON.stringify({ user, value: { hosts: { length: 1e9 } } }),
      JSON.stringify({ user: '0192', value }),
      odd({ ...first.host, id: '../auth/logout' }),
      odd({ ...first.host, tags: [{}] }),
      odd({ ...first.host, approval_status: 'own' }),
    ]) {
      await page.evaluate(([name, text]) => sessionStorage.setItem(name, text), [note, hostile] as const);
      await page.reload();
      await selected('1 host');
    }
    await page.evaluate(([name, text]) => sessionStorage.setItem(name, text), [note, stored] as const);
    await page.goto(`${dashboard.service.url}/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).last().click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate((name) => sessionStorage.getItem(name), note)).toBeNull();
  });

  it('goes on when many tabs reload at the same time, again and again', async () => {
    const page = await dashboard.openAs('/account');
    const tabs = [page, await page.context().newPage(), await page.context().newPage()];
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(tabs.map((tab) => tab.goto(`${dashboard.service.url}/account`)));
      await Promise.all(tabs.map(accountOf));
    }
  });

  it('replaces an access token that the server no longer accepts, without a word to the user', async () => {
    const page = await dashboard.openAs('/account');
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    let refused = 0;
    await page.route('**/api/v1/fleet/summary', async (route) => {
      refused += 1;
      const headers = { ...route.request().headers(), authorization: 'Bearer eyJ.expired.token' };
      await (refused === 1 ? route.continue({ headers }) : route.continue());
    });
    await page.getByRole('link', { name: 'Fleet', exact: true }).click();
    await page.getByRole('heading', { name: 'Fleet', level: 1 }).waitFor();
    await waitFor('the request to be sent again', () => refused >= 2);
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('is not called ended if the server did not confirm the sign-out', async () => {
    const page = await dashboard.openAs('/');
    await page.route('**/api/v1/auth/logout', (route) => route.abort());
    await page.getByRole('button', { name: 'Sign out', exact: true }).last().click();
    await page.getByText('The server did not confirm that you are signed out').waitFor();
    expect(await page.context().cookies(`${dashboard.service.url}/api/v1/auth/refresh`)).toHaveLength(1);
  });

  it('ends in all tabs with a sign-out in one', async () => {
    const page = await dashboard.openAs('/account');
    const other = await page.context().newPage();
    await other.goto(`${dashboard.service.url}/account`);
    await accountOf(other);
    await page.getByRole('button', { name: 'Sign out', exact: true }).last().click();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('that has ended meanwhile leads to sign-in after a reload, and back', async () => {
    const page = await dashboard.openAs('/account');
    await accountOf(page);
    await page.goto('about:blank');
    await endBrowserSessions(dashboard);
    await page.goto(`${dashboard.service.url}/account`);
    await page.getByText('Your session has ended.').waitFor();
    await signIn(page, { email: adminEmail, password: adminPassword });
    await accountOf(page);
  });

  it('is listed with the others, which can be ended', async () => {
    const page = await dashboard.openAs('/account');
    const other = await dashboard.openAs('/account');
    await page.reload();
    const table = page.getByRole('table', { name: 'Sessions' });
    await table.getByText('This session').waitFor();
    await expectGoodLooks(page, 'sessions');
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click();
    await other.getByText('Your session has ended.').waitFor();
    await waitFor('one session to be left', async () => (await table.getByRole('row').count()) === 2);
    await table.getByRole('button', { name: 'Sign out of this session' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });
});
