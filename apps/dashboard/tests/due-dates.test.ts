import { type Client, waitFor } from '@plimsoll/testing';
import type { Page } from 'playwright-core';
import { choose, describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';
import { makeSampleFleet, type SampleFleet } from './sample-fleet.ts';

describeDashboard('due dates', {}, (dashboard) => {
  let client: Client;
  let fleet: SampleFleet;
  let page: Page;

  beforeAll(async () => {
    fleet = await makeSampleFleet(dashboard);
    client = fleet.client;
    page = await dashboard.openAs('/settings?tab=due');
  });

  const overdueHosts = async () => (await client.send('GET', '/hosts?overdue=true')).body as { id: string }[];

  it('are invited to, set, and lead from the fleet to exactly the hosts that are overdue', async () => {
    await page.getByText('No policy is set: no finding has a due date.').waitFor();
    await expectGoodLooks(page, 'due-dates-none');
    await choose(page, /Policy$/, 'FedRAMP VDR, Class C');
    await page.getByText(/A host without such a tag counts as pain-5/).waitFor();
    await expectGoodLooks(page, 'due-dates-preset');
    await choose(page, /Policy$/, 'Rules of your own');
    await page.getByRole('textbox', { name: 'Days' }).fill('1');
    await page.getByRole('button', { name: 'Add the rule', exact: true }).click();
    await page.getByText('everything else').waitFor();
    await expectGoodLooks(page, 'due-dates-own');
    await page.getByRole('button', { name: 'Put this policy in force' }).click();
    await page.getByText('In force since').waitFor();
    await waitFor('overdue hosts', async () => (await overdueHosts()).length > 0);
    const tags = Array.from({ length: 11 }, (_, n) => `tag-${n + 10}`);
    await client.send('PATCH', `/hosts/${fleet.vulnerable.id}`, { tags });
    await page.goto(`${dashboard.service.url}/`);
    await page.getByText(/^\d+ hosts? ha(s|ve) findings past their due date/).waitFor();
    expect(await page.getByText('By tag, at least:').count()).toBe(0);
    await client.enrol('quiet-1');
    await page.getByText(/^At least \d+ hosts? ha(s|ve) findings past their due date/).waitFor();
    await page.getByText('By tag, at least:').waitFor();
    await page.getByText('8 of 11 tags, those with the most overdue findings first.').waitFor();
    await page.getByRole('button', { name: 'Show all 11 tags' }).press('Enter');
    const byTag = page.getByRole('list', { name: 'Overdue by tag' }).getByRole('listitem');
    await page.getByText('All 11 tags.').waitFor();
    expect((await byTag.allInnerTexts()).map((line) => /tag-\d+/.exec(line)?.[0])).toEqual(tags);
    await expectGoodLooks(page, 'fleet-overdue-tags');
    await page.getByRole('link', { name: /findings past their due date/ }).click();
    await page.getByRole('link', { name: 'web-1' }).waitFor();
    expect(await page.getByRole('link', { name: 'db-1' }).count()).toBe(0);
    await expectGoodLooks(page, 'due-dates-hosts');
    await page.goto(`${dashboard.service.url}/hosts/${fleet.vulnerable.id}?tab=settings`);
    await choose(page, /Set by hand$/, 'No');
    await page.getByText('No, set by hand.').waitFor();
  });

  it('say beside every list, number and plan that more may be due while CISA KEV is old', async () => {
    const { pool } = dashboard.database.db;
    const setPolicy = (body: object) => client.send('PUT', '/policies/due-dates', body);
    const ageKev = (age: string | null) =>
      pool.query(`UPDATE feeds SET updated_at = now() - $1::interval WHERE id = 'cisa-kev'`, [age]);
    await setPolicy({
      rules: [
        { known_exploited: true, days: 1, clock: 'kev' },
        { days: 1, clock: 'published', forensics: true },
      ],
    });
    await ageKev('90 days');
    const main = page.getByRole('main');
    const said = main.getByText(/CISA KEV is outdated\. Due dates depend on it: findings may be due earlier/);
    const lists = [
      '/hosts',
      '/hosts?overdue=true',
      '/findings',
      `/hosts/${fleet.vulnerable.id}?tab=vulnerable`,
      `/plans?hosts=${fleet.vulnerable.id}`,
    ];
    for (const path of lists) {
      await page.goto(`${dashboard.service.url}${path}`);
      await said.waitFor();
    }
    await main.getByText('Take the evidence first.').waitFor();
    await main.getByText('On 1 host: script and playbook stop there').waitFor();
    await expectGoodLooks(page, 'plan-evidence-first');
    await page.goto(`${dashboard.service.url}/hosts/${fleet.vulnerable.id}?tab=updates`);
    await main.getByText('Take the evidence first.').waitFor();
    await page.goto(`${dashboard.service.url}/`);
    await page.getByText(/^At least \d+ hosts? ha(s|ve) findings past their due date/).waitFor();
    await main.getByText(/missing or outdated\. Due dates depend on it/).waitFor();
    await page.goto(`${dashboard.service.url}/settings?tab=due`);
    await choose(page, /Policy$/, 'CISA BOD 26-04');
    await main.getByText(/^More may be overdue: the policy depends on/).waitFor();
    // No rule asks for exploitation.
    await setPolicy({ preset: 'by-severity' });
    await page.goto(`${dashboard.service.url}/findings?overdue=true`);
    await main.getByRole('table').waitFor();
    expect(await said.count()).toBe(0);
  });

  it('say so on an open page once CISA KEV is old by time alone', async () => {
    const { pool } = dashboard.database.db;
    const ageKev = `UPDATE feeds SET updated_at = now() - $1::interval WHERE id = 'cisa-kev'`;
    await pool.query(ageKev, ['0']);
    await client.send('PUT', '/policies/due-dates', {
      rules: [{ known_exploited: true, days: 1, clock: 'kev' }],
    });
    const open = await dashboard.openAs('/findings');
    await open.clock.install();
    await open.reload();
    await open.getByRole('main').getByRole('table').waitFor();
    const said = open.getByRole('main').getByText(/CISA KEV is outdated\. Due dates depend on it/);
    expect(await said.count()).toBe(0);
    // From its first event on, a page whose stream was interrupted does not read everything again.
    const again = open.waitForResponse(/\/api\/v1\/findings/);
    await client.send('PATCH', `/hosts/${fleet.upToDate.id}`, { tags: ['old-kev'] });
    await again;
    // Without triggers, as when time passes: no event tells of it.
    await pool.query(`BEGIN; SET LOCAL session_replication_role = replica;
      ${ageKev.replace('$1', `'90 days'`)}; COMMIT`);
    await open.clock.fastForward('10:01');
    await said.waitFor();
    await open.close();
  });

  it('say of a host without overdue findings only that none is known, not that it has no vulnerability', async () => {
    await client.send('PUT', '/policies/due-dates', { rules: [] });
    await page.goto(
      `${dashboard.service.url}/hosts/${fleet.vulnerable.id}?tab=vulnerable&fix=all&overdue=true`,
    );
    const main = page.getByRole('main');
    await main.getByRole('heading', { name: 'No finding is known to be overdue' }).waitFor();
    expect(await main.getByText(/No vulnerability|Every installed package/).count()).toBe(0);
  });
});
