import { readFile } from 'node:fs/promises';
import type { CveHosts } from '@plimsoll/contract';
import { waitFor } from '@plimsoll/testing';
import type { Page } from 'playwright-core';
import { choose, describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';
import { failUntilPressed } from './fail-until-pressed.ts';
import { makeSampleFleet, type SampleFleet } from './sample-fleet.ts';

describeDashboard('advisories', {}, (dashboard) => {
  let fleet: SampleFleet;
  let page: Page;

  const advisories = () => page.getByRole('table', { name: 'Advisories' });
  const hosts = () => page.getByRole('table', { name: 'Affected hosts' });
  /** First cell of each row. */
  const firstCells = async (table: () => ReturnType<Page['getByRole']>) =>
    (await table().locator('tbody tr td:first-child').allTextContents()).map((text) => text.trim());
  const affecting = async (query = '') =>
    (await fleet.client.get(`/advisories?affected=true${query}`)).body as readonly Listed[]; // the contract's type

  beforeAll(async () => {
    page = await dashboard.openAs('/advisories');
  });

  it('says on an empty service that nothing is known yet, and leads to the feeds', async () => {
    await page.getByRole('heading', { name: 'No advisory is known to affect your hosts' }).waitFor();
    await expectGoodLooks(page, 'advisories-empty');
    await page.getByRole('button', { name: 'Search all advisories' }).click();
    await page.getByRole('heading', { name: 'No advisories yet' }).waitFor();
    await page.getByRole('link', { name: 'Show the feeds' }).click();
    await page.waitForURL(/\/settings\?tab=feeds/);
    fleet = await makeSampleFleet(dashboard);
    // The service recounts affected hosts every few seconds.
    await waitFor('the fleet to be counted', async () => {
      const counted = await affecting('&q=CVE-2026-90001');
      return counted[0]?.affected_hosts?.total === 2;
    });
  });

  it('lists what affects the fleet, newest first, as many as it counts', async () => {
    await page.goto(`${dashboard.service.url}/advisories`);
    const expected = await affecting();
    await page.getByText(`${expected.length} advisories`, { exact: true }).waitFor();
    expect(await firstCells(advisories)).toEqual(expected.map(({ id }) => id));
    expect(await page.getByText('More may affect').count()).toBe(0);
    await expectGoodLooks(page, 'advisories');
    const silent = { display_name: 'silent', hostname: 'silent.example.org' };
    const { body } = await fleet.client.send('POST', '/hosts/manual', silent);
    await page.getByText('More may affect').getByRole('link', { name: '1 host' }).waitFor();
    await fleet.client.send('DELETE', `/hosts/${(body as { readonly id: string }).id}`); // the contract's type
    await page.getByText('More may affect').waitFor({ state: 'detached' });
  });

  it('finds by words, severity and known attacks, and keeps all of it in the address', async () => {
    await page.getByRole('searchbox', { name: 'Search advisories' }).fill('openssh');
    await page.waitForURL(/q=openssh/);
    await page.getByText('Known exploited').click();
    await page.waitForURL(/exploited=true/);
    await choose(page, 'Severity', 'Important');
    const found = await affecting('&q=openssh&known_exploited=true&severity=important');
    expect(found.map(({ id }) => id)).toContain('CVE-2024-6387');
    await settled(
      () => firstCells(advisories),
      found.map(({ id }) => id),
    );
    await page.reload();
    await settled(
      () => firstCells(advisories),
      found.map(({ id }) => id),
    );
    expect(await page.getByRole('searchbox', { name: 'Search advisories' }).inputValue()).toBe('openssh');
    await choose(page, 'Severity', 'Low');
    await page
      .getByRole('heading', {
        name: /^No (known )?advisory that matches “openssh” (affects|is known to affect) your hosts, negligible ones left out$/,
      })
      .waitFor();
    await page.getByRole('button', { name: 'Search all advisories' }).click();
    await page.getByRole('heading', { name: 'No matching advisory' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filters' }).click();
    const { headers } = await fleet.client.get('/advisories?limit=1');
    await page.getByText(`${headers.get('x-total-count')} advisories`, { exact: true }).waitFor();
  });

  it('lists the worst and the widest spread first where that is asked for', async () => {
    await page.goto(`${dashboard.service.url}/advisories`);
    await choose(page, 'Order', 'Worst first');
    const worst = (await affecting('&sort=severity')).map(({ id }) => id);
    await settled(() => firstCells(advisories), worst);
    await choose(page, 'Order', 'Most hosts first');
    const widest = (await affecting('&sort=-affected_hosts')).map(({ id }) => id);
    await settled(() => firstCells(advisories), widest);
  });

  it('shows behind the number of hosts as many hosts, with their fix states', async () => {
    await page
      .getByRole('row', { name: /CVE-2026-90001/ })
      .getByRole('link', { name: '2 affected hosts' })
      .click();
    await page.getByRole('heading', { name: 'CVE-2026-90001', level: 1 }).waitFor();
    await hosts().waitFor();
    expect(await firstCells(hosts)).toEqual(['Office printer', 'web-1']);
    await page.getByRole('link', { name: '0 without a fix' }).click();
    await page.getByRole('heading', { name: 'No matching host' }).waitFor();
    await page.getByRole('link', { name: '2 with a fix' }).click();
    await settled(() => firstCells(hosts), ['Office printer', 'web-1']);
  });

  it('says of an advisory what it is, what is fixed where, and lists the hosts in a fix state', async () => {
    await page.goto(`${dashboard.service.url}/advisories/CVE-2024-6387`);
    await hosts().waitFor();
    for (const text of ['Exploited', '8.1', '1:9.2p1-2+deb12u3', '1:9.7p1-7', '62.8%', 'since 2026-10-28'])
      await page.getByText(text).first().waitFor();
    await expectGoodLooks(page, 'advisory');
    await choose(page, 'Fix state', 'Not in repositories');
    await page.waitForURL(/fix_state=not_in_repositories/);
    await settled(() => hosts().getByText('openssh-server').count(), 0);
    expect(await firstCells(hosts)).toEqual(['web-1']);
    await hosts().getByRole('link', { name: 'web-1' }).click();
    await page.waitForURL(`**/hosts/${fleet.vulnerable.id}?*`);
  });

  it('lists the hosts that cannot be checked for an advisory behind their number, with the reasons', async () => {
    const silent = { display_name: 'silent', hostname: 'silent.example.org' };
    const { body } = await fleet.client.send('POST', '/hosts/manual', silent);
    await page.goto(`${dashboard.service.url}/advisories/CVE-2024-6387`);
    await page.getByText('cannot be checked').getByRole('link', { name: '1 host', exact: true }).click();
    const unjudged = page.getByRole('table', { name: 'Hosts that cannot be checked' });
    await unjudged.getByRole('row', { name: /silent.*No report processed yet/ }).waitFor();
    expect(await unjudged.locator('tbody tr').count()).toBe(1);
    await page.getByRole('link', { name: '1 not known', exact: true }).waitFor();
    await expectGoodLooks(page, 'advisory-unjudged');
    await fleet.client.send('DELETE', `/hosts/${(body as { readonly id: string }).id}`); // the contract's type
    await page.getByRole('heading', { name: 'No host is known that cannot be checked' }).waitFor();
  });

  it('saves the affected hosts as a file that says what the API says', async () => {
    await page.goto(`${dashboard.service.url}/advisories/CVE-2026-90001`);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Hosts as CSV' }).click(),
    ]);
    expect(saved.suggestedFilename()).toMatch(/^plimsoll-CVE-2026-90001-hosts(-incomplete)?\.csv$/);
    const { body } = await fleet.client.get('/advisories/CVE-2026-90001/hosts.csv');
    expect((await readFile(await saved.path(), 'utf8')).replace(/^\uFEFF/, '')).toBe(
      String(body).replace(/^\uFEFF/, ''),
    );
  });

  it('shows every host under a CVE in one of four states, and the advisories about it', async () => {
    await page.goto(`${dashboard.service.url}/cves/cve-2024-6387`);
    await page.getByRole('heading', { name: 'CVE-2024-6387', level: 1 }).waitFor();
    const under = () => page.getByRole('table', { name: 'Hosts under this CVE' });
    await under().waitFor();
    const { totals } = (await fleet.client.get('/cves/CVE-2024-6387/hosts')).body as CveHosts; // the contract's type
    const states = page.getByRole('navigation', { name: 'Hosts by state' });
    for (const [state, words] of [
      ['affected', 'Affected'],
      ['unknown', 'Not known'],
      ['fixed', 'Fixed'],
      ['not_affected', 'Not affected'],
    ] as const) {
      await states.getByRole('link', { name: `${totals[state]} ${words}`, exact: true }).waitFor();
    }
    await expectGoodLooks(page, 'cve');
    // The affected hosts are shown first, with the way to their updates.
    const plan = page.getByRole('link', { name: /^Plan updates/ });
    expect(await plan.getAttribute('href')).toContain(fleet.vulnerable.id);
    await states.getByRole('link', { name: /^\d+ hosts$/ }).click();
    await page.waitForURL(/state=all/);
    const all = Object.values(totals).reduce((sum, count) => sum + count, 0);
    await settled(async () => (await under().locator('tbody tr').allTextContents()).length, all);
    await states.getByRole('link', { name: `${totals.affected} Affected`, exact: true }).click();
    await page.waitForURL(/state=affected/);
    await settled(async () => (await under().locator('tbody tr').allTextContents()).length, totals.affected);
    expect(await under().locator('tbody tr').first().textContent()).toContain('web-1');
    const about = () => page.getByRole('table', { name: 'Advisories', exact: true });
    expect(await firstCells(about)).toEqual(['CVE-2024-6387', 'DSA-5724-1']);
  });

  it('says what an unknown id means instead of failing', async () => {
    await page.goto(`${dashboard.service.url}/advisories/DSA-0-0`);
    await page.getByRole('heading', { name: 'No feed has this advisory' }).waitFor();
    await expectGoodLooks(page, 'advisory-unknown');
    await page.goto(`${dashboard.service.url}/cves/nonsense`);
    await page.getByRole('heading', { name: 'No feed has this CVE' }).waitFor();
  });

  it('calls every host unknown under a CVE that no feed has, and names the feeds with their ages', async () => {
    await page.goto(`${dashboard.service.url}/cves/CVE-1999-0001`);
    await page.getByRole('heading', { name: 'Not known here' }).waitFor();
    await page.getByRole('list', { name: 'Feeds that could list it' }).getByText('debian-osv').waitFor();
    const { totals } = (await fleet.client.get('/cves/CVE-1999-0001/hosts')).body as CveHosts; // the contract's type
    expect(totals).toMatchObject({ affected: 0, fixed: 0, not_affected: 0 });
    const states = page.getByRole('navigation', { name: 'Hosts by state' });
    await states.getByRole('link', { name: `${totals.unknown} Not known`, exact: true }).waitFor();
    await page.getByText('No feed here lists this CVE.').first().waitFor();
    await expectGoodLooks(page, 'cve-unknown');
  });

  it('says that the server is away, and goes on once it is back', async () => {
    await page.goto(`${dashboard.service.url}/advisories`);
    await advisories().waitFor();
    await failUntilPressed(page, '**/api/v1/advisories?*', (route) => route.abort());
    await page.getByRole('searchbox', { name: 'Search advisories' }).fill('zlib');
    await page.waitForURL(/q=zlib/);
    await page.reload();
    await page.getByRole('heading', { name: 'This could not be loaded' }).waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await advisories().waitFor();
    await expectGoodLooks(page, 'advisories-searched');
  });

  it('shows hostile titles, names and versions as text that breaks no layout', async () => {
    const markup = `<img src=x onerror="document.title='owned'">\u202Egnp.exe ${'W'.repeat(10_000)}`;
    const record = {
      schema_version: '1.7.0',
      id: 'CVE-2026-90099',
      modified: new Date().toISOString(),
      published: '2026-11-19T08:00:00Z',
      summary: markup,
      affected: [
        {
          package: { ecosystem: 'Debian:12', name: 'bash' },
          ranges: [
            { type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: `9:1.0+${'1'.repeat(100)}-1` }] },
          ],
        },
      ],
    };
    const imported = await fleet.client.importFeed(Buffer.from(`${JSON.stringify(record)}\n`));
    expect(imported.body).toMatchObject({ status: 'done', records_changed: 1, records_rejected: 0 });
    await waitFor('the advisory to be counted', async () =>
      (await affecting()).some(({ id }) => id === record.id),
    );
    await fleet.client.send('PATCH', `/hosts/${fleet.upToDate.id}`, { display_name: markup.slice(0, 200) });
    await page.goto(`${dashboard.service.url}/advisories`);
    await page.getByRole('link', { name: 'CVE-2026-90099' }).waitFor();
    await expectGoodLooks(page, 'advisories-hostile');
    await page.getByRole('link', { name: 'CVE-2026-90099' }).click();
    await hosts().waitFor();
    await expectGoodLooks(page, 'advisory-hostile');
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await page.title()).not.toBe('owned');
    expect(await page.locator('main').innerText()).not.toContain('\u202E');
  });

  it('counts the hosts under a CVE by release, and lists those behind each number', async () => {
    await fleet.client.enrol('not-reported');
    await page.goto(`${dashboard.service.url}/cves/CVE-2024-6387`);
    const under = () => page.getByRole('table', { name: 'Hosts under this CVE' });
    await under().waitFor();
    const { releases } = (await fleet.client.get('/cves/CVE-2024-6387/hosts')).body as CveHosts; // the contract's type
    expect(releases.map(({ release }) => release)).toEqual(['debian:12', null]);
    const byRelease = page.getByRole('table', { name: 'Hosts by release' });
    await byRelease.waitFor();
    expect(await byRelease.locator('tbody tr').allTextContents()).toEqual(
      releases.map(({ release, totals: own }) =>
        [release ?? 'not known', own.affected, own.unknown, own.fixed, own.not_affected].join(''),
      ),
    );
    const debian = releases.find(({ release }) => release === 'debian:12');
    await byRelease
      .getByRole('row', { name: /^debian:12/ })
      .getByRole('link', { name: String(debian?.totals.affected), exact: true })
      .first()
      .click();
    await page.waitForURL(/release=debian/);
    await settled(
      async () => (await under().locator('tbody tr').allTextContents()).length,
      debian?.totals.affected ?? 0,
    );
    await page.getByRole('link', { name: 'Hosts of all releases' }).click();
    await page.waitForURL((url) => !url.search.includes('release'));
    await expectGoodLooks(page, 'cve-releases');
    await page.goto(`${dashboard.service.url}/cves/CVE-2024-6387?release=debian:99`);
    await page.getByText('No approved host has this release').waitFor();
  });
});

/** Waits until `read` returns the expected value; on a timeout the comparison shows the last value. */
async function settled<Value>(read: () => Promise<Value>, expected: Value): Promise<void> {
  const wanted = JSON.stringify(expected);
  const reached = waitFor('the page to settle', async () => JSON.stringify(await read()) === wanted, {
    timeoutMs: 15_000,
  });
  await reached.catch(() => undefined); // the next line reports the difference
  expect(await read()).toEqual(expected);
}

interface Listed {
  readonly id: string;
  readonly affected_hosts: { readonly total: number } | null;
}
