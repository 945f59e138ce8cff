import { createFleetStore } from '@plimsoll/db';
import type { Page } from 'playwright-core';
import { describeDashboard, expectGoodLooks, expectWholeTable } from './dashboard-under-test.ts';
import { failUntilPressed } from './fail-until-pressed.ts';
import { makeSampleFleet, type SampleFleet } from './sample-fleet.ts';

const dayMs = 86_400_000;

/** The numbers of hosts on the page, with the addresses of their lists. */
async function countsOn(page: Page): Promise<readonly (readonly [address: string, count: number])[]> {
  return page
    .getByRole('main')
    .locator('a[href^="/hosts?"]:has(strong)')
    .evaluateAll((links) =>
      links.map((link) => {
        const number = link.querySelector('strong')?.textContent?.replaceAll(',', '');
        // A zero that is not known to be zero is a question mark.
        return [link.getAttribute('href') ?? '', Number(number === '?' ? 0 : number)] as const;
      }),
    );
}

describeDashboard('the fleet', {}, (dashboard) => {
  let fleet: SampleFleet;

  const openFleet = async () => {
    const page = await dashboard.openAs('/');
    await page.getByRole('heading', { name: 'What to do' }).waitFor();
    return page;
  };

  /** Lets the last report of `db-1` be old. */
  const beSilent = (days: number) =>
    dashboard.database.db.pool.query(
      `UPDATE host_contacts SET last_seen_at = t, last_confirmed_at = t
       FROM (SELECT now() - make_interval(days => $2) AS t) AS moment WHERE host_id = $1`,
      [fleet.upToDate.id, days],
    );

  it('says of an empty fleet what to do', async () => {
    const page = await dashboard.openAs('/');
    await page.getByRole('heading', { name: 'No hosts yet: add one' }).waitFor();
    await expectGoodLooks(page, 'fleet-empty');
    await page.getByRole('link', { name: 'Add a host' }).click();
    await page.waitForURL('**/add-hosts');
  });

  it('shows numbers that are those of the lists they lead to, all of them', async () => {
    fleet = await makeSampleFleet(dashboard);
    const page = await openFleet();
    await page.getByRole('link', { name: /known to be exploited/ }).waitFor();
    const counts = await countsOn(page);
    // Actions, severities, silent hosts, coverage, restarts, approvals and the whole fleet.
    expect(counts.length).toBeGreaterThan(20);
    expect(counts.filter(([, count]) => count > 0).length).toBeGreaterThan(8);
    const listed: [string, number][] = [];
    for (const [address] of counts) {
      await page.goto(`${dashboard.service.url}${address}`);
      const total = await page
        .getByRole('region', { name: 'List of hosts' })
        .getByText(/^[\d,]+ hosts?$/)
        .textContent();
      listed.push([address, Number.parseInt(total?.replaceAll(',', '') ?? '', 10)]);
    }
    expect(listed).toEqual(counts);
  });

  it('shows date, time and zone of a moment on hover, and to the keyboard', async () => {
    const page = await openFleet();
    const moment = page
      .getByRole('main')
      .getByRole('button')
      .filter({ has: page.locator('time') })
      .first();
    const tip = page.getByRole('tooltip').getByText(/^\d+ \w{3} \d{4} \d\d:\d\d:\d\d \S+/);
    await moment.hover();
    await tip.waitFor();
    await page.mouse.move(0, 0);
    await tip.waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    await moment.focus();
    await tip.waitFor();
  });

  it('sums up the findings of the hosts it leads to', async () => {
    const page = await openFleet();
    const row = page.getByRole('row', { name: /^Critical/ });
    const findings = Number(await row.getByRole('link').first().textContent());
    const hosts = (await fleet.client.get('/hosts?finding_severity=critical&approval_status=approved'))
      .body as readonly { readonly critical_count: number }[];
    expect(findings).toBe(hosts.reduce((sum, { critical_count }) => sum + critical_count, 0));
    expect(findings).toBeGreaterThan(0);
    await row.getByRole('link').first().click();
    const list = page.getByRole('region', { name: 'List of hosts' });
    await list.getByText(`${findings} critical findings`, { exact: true }).waitFor();
  });

  it('begins its history today, then says whether it gets better and leaves out what it does not know', async () => {
    const page = await openFleet();
    await page.getByText('Recording started today.').waitFor();
    await expectGoodLooks(page, 'fleet-first-day');
    const { pool } = dashboard.database.db;
    await createFleetStore(dashboard.database.db).noteDay(new Date());
    // A day as the service stores it; older days have more findings, and 14 days are missing.
    await pool.query(
      `INSERT INTO fleet_days (day, noted_at, totals)
       SELECT $1::date - n, now() - n * interval '1 day',
         jsonb_set(jsonb_set(jsonb_set(totals, '{findings,critical}', to_jsonb(3 + n / 4)),
           '{findings,important}', to_jsonb(5 + n / 3)), '{findings,moderate}', to_jsonb(20 - n / 8))
       FROM fleet_days, generate_series(1, 80) n WHERE day = $1::date AND n NOT BETWEEN 30 AND 43`,
      [new Date().toISOString().slice(0, 10)],
    );
    await page.reload();
    await page.getByText(/^Getting better: /).waitFor();
    await page.getByText(/of 90 days\)/).waitFor();
    const chart = page.getByRole('img', { name: /^Findings by day/ });
    await chart.locator('canvas').waitFor();
    await page.getByText('Show the numbers as a table').click();
    const table = page.getByRole('table', { name: 'Findings by day' });
    const rows = await table.getByRole('row').count();
    expect(rows - 1).toBe(80 - 14 + 1);
    const missing = new Date(Date.now() - 35 * dayMs).toISOString().slice(0, 10);
    expect(await table.locator(`time[datetime="${missing}"]`).count()).toBe(0);
    await page.getByText('Show the numbers as a table').click();
    await page.getByRole('checkbox', { name: 'Moderate' }).focus();
    await page.keyboard.press('Space');
    await page.getByRole('img', { name: /by day: critical, important, low/ }).waitFor();
    await page.keyboard.press('Space');
    await expectGoodLooks(page, 'fleet');
  });

  it('lets a host that waits be approved on the spot, and counts it', async () => {
    const page = await openFleet();
    const before = (await countsOn(page))[0]?.[1] ?? 0;
    const button = page.getByRole('button', { name: 'Approve lab-1' });
    const { pool } = dashboard.database.db;
    const longName = 'lab-1 of the laboratory in the cellar of the building at the end of the street';
    await pool.query('UPDATE hosts SET display_name = $1 WHERE display_name = $2', [longName, 'lab-1']);
    await page.reload();
    await button.waitFor();
    const heights = await button.evaluate((element) => [element.clientHeight, element.scrollHeight]);
    // The label stays on one line beside a long name.
    expect(Math.max(...heights)).toBeLessThan(45);
    await button.click();
    await page.getByText('No hosts to approve.').waitFor();
    await page.getByRole('link', { name: `${before + 1} hosts` }).waitFor();
    await pool.query('UPDATE hosts SET display_name = $1 WHERE display_name = $2', ['lab-1', longName]);
  });

  it('calls the age of a feed the same on every page, by the threshold of the feed', async () => {
    const { pool } = dashboard.database.db;
    const page = await openFleet();
    const feeds = page.getByRole('region', { name: 'Advisory feeds' });
    await feeds.getByText('Up to date').waitFor();
    await pool.query(`UPDATE feeds SET updated_at = now() - interval '5 days' WHERE id = 'debian-osv'`);
    await page.reload();
    await feeds.getByText('Outdated').waitFor();
    expect(await feeds.getByText('Up to date').count()).toBe(0);
    await page.goto(`${dashboard.service.url}/settings?tab=feeds`);
    const row = page.getByRole('row').filter({ hasText: 'debian-osv' });
    await row.getByText('Outdated').waitFor();
    await row.getByText('What to do').click();
    await row.getByRole('link', { name: /import it/ }).click();
    await page.getByRole('heading', { name: 'Import a file' }).waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'amazon-updateinfo' })
      .getByText('Not needed by any host')
      .first()
      .waitFor();
    await pool.query(`UPDATE feeds SET stale_after_seconds = 8 * 86400 WHERE id = 'debian-osv'`);
    await page.reload();
    await row.getByText('Up to date').waitFor();
    await pool.query(
      `UPDATE feeds SET stale_after_seconds = 3 * 86400, updated_at = now() WHERE id = 'debian-osv'`,
    );
  });

  it('says of silent hosts since when, on a phone, too, what to do, and that they may need a reboot since', async () => {
    await beSilent(5);
    const page = await dashboard.openAs('/');
    await page.getByRole('link', { name: /^1\s*Stale/ }).click();
    await page.getByRole('link', { name: 'db-1' }).waitFor();
    await expectGoodLooks(page, 'hosts-silent');
    await page.setViewportSize({ width: 360, height: 780 });
    const row = page.getByRole('row').filter({ hasText: 'db-1' });
    await row.getByText('5 days ago').waitFor();
    await page.getByRole('link', { name: 'db-1' }).click();
    await page.getByRole('region', { name: 'command' }).getByText('plimsoll-agent run').waitFor();
    await page.getByRole('tab', { name: 'Kernel and restarts' }).click();
    await page.getByText('Not needed then').first().waitFor();
    expect(await page.getByText('Not needed', { exact: true }).count()).toBe(0);
    await beSilent(0);
  });

  it('says why it cannot be loaded, with the request to ask for, and tries again', async () => {
    const page = await openFleet();
    await failUntilPressed(page, '**/api/v1/fleet/summary', (route) =>
      route.fulfill({
        status: 500,
        headers: { 'X-Request-Id': 'the-request' },
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'internal', title: 'It failed', status: 500 }),
      }),
    );
    await page.reload();
    await page.getByRole('alert').getByText('the-request').waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'What to do' }).waitFor();
  });

  it('offers a viewer nothing that would be refused', async () => {
    const user = { email: 'viewer@example.org', password: 'correct horse viewer' };
    await fleet.client.send('POST', '/users', { ...user, name: '', role: 'viewer' });
    await dashboard.database.db.pool.query(
      `UPDATE hosts SET approval_status = 'pending' WHERE display_name = 'lab-1'`,
    );
    const page = await dashboard.openAs('/', user);
    await page.getByRole('link', { name: 'lab-1' }).waitFor();
    const buttons = page.getByRole('main').getByRole('button');
    expect(await buttons.filter({ hasNot: page.locator('time') }).allInnerTexts()).toEqual([]);
  });

  it('shows a limited reader no zero for an own group of which all hosts may be hidden', async () => {
    const group = { filter: { tag: 'web' }, shared: true };
    for (const name of ['All web servers', 'My web servers'])
      await fleet.client.send('POST', '/groups', { ...group, name });
    const user = { email: 'limited@example.org', password: 'correct horse limited' };
    await fleet.client.send('POST', '/users', { ...user, name: '', role: 'viewer', tags: ['elsewhere'] });
    // As if the reader had made it before being limited.
    await dashboard.database.db.pool.query(
      `UPDATE host_groups SET shared = false, owner_id = (SELECT id FROM users WHERE email = $1)
       WHERE name = 'My web servers'`,
      [user.email],
    );
    const page = await dashboard.openAs('/groups', user);
    const row = page.getByRole('row').filter({ hasText: 'My web servers' });
    await row.getByTitle('You see no host of this group.').first().waitFor();
    expect(await row.getByText('0', { exact: true }).count()).toBe(0);
    expect(await page.getByText('All web servers').count()).toBe(0);
  });

  it('shows numbers of a group that are those of the lists they lead to, also of silent hosts', async () => {
    const never = { display_name: 'never-1', hostname: 'never', tags: ['web'] };
    await fleet.client.send('POST', '/hosts/manual', never);
    await fleet.client.send('PATCH', `/hosts/${fleet.upToDate.id}`, { tags: ['web'] });
    await beSilent(5);
    const page = await dashboard.openAs('/groups');
    const table = page.getByRole('table', { name: 'Groups' });
    await table.getByRole('link', { name: 'All web servers' }).waitFor();
    await expectWholeTable(page, 'Groups', [1440, 1024, 390]);
    await page.setViewportSize({ width: 1024, height: 900 });
    await table.getByRole('columnheader', { name: 'No report' }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
    const heads = await table.getByRole('columnheader').allTextContents();
    const cells = table.getByRole('row').filter({ hasText: 'All web servers' }).locator('th, td');
    const shown: Record<string, readonly [number: string | undefined, address: string | null]> = {};
    for (const head of heads.filter((name) => !/^(Group|Shown to|Actions)/.test(name))) {
      const link = cells.nth(heads.indexOf(head)).getByRole('link');
      shown[head] = [/^[\d,]+|^\?/.exec(await link.innerText())?.[0], await link.getAttribute('href')];
    }
    const listed: typeof shown = {};
    for (const [head, [, address]] of Object.entries(shown)) {
      await page.goto(`${dashboard.service.url}${address}`);
      const total = page.getByRole('region', { name: 'List of hosts' }).getByText(/^[\d,]+ hosts?$/);
      listed[head] = [(await total.textContent())?.replace(/ hosts?$/, ''), address];
    }
    expect(listed).toEqual(shown);
    const numbers = Object.fromEntries(Object.entries(shown).map(([head, [number]]) => [head, number]));
    expect(numbers).toEqual({
      Hosts: '3',
      'To approve': '0',
      'With critical findings': '1',
      'Known exploited': '1',
      'To reboot': '1',
      'Old report': '1',
      'No report': '1',
    });
    await beSilent(0);
  });
});
