import type { FleetFinding } from '@plimsoll/contract';
import { insertManyHosts, waitFor } from '@plimsoll/testing';
import type { Page } from 'playwright-core';
import { choose, describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';
import { makeSampleFleet, type SampleFleet } from './sample-fleet.ts';

describeDashboard('findings', {}, (dashboard) => {
  let fleet: SampleFleet;
  let page: Page;

  const table = () => page.getByRole('table', { name: 'Findings' });
  const firstCells = async () =>
    (await table().locator('tbody tr td:nth-child(2)').allTextContents()).map((text) => text.trim());
  const listed = async (query = '') =>
    (await fleet.client.get(`/findings?limit=1000${query}`)).body as readonly FleetFinding[]; // the contract's type
  const settled = async (expected: readonly string[]) => {
    await waitFor('the rows', async () => JSON.stringify(await firstCells()) === JSON.stringify(expected));
  };

  beforeAll(async () => {
    page = await dashboard.openAs('/findings');
  });

  it('says without hosts that nothing is known yet', async () => {
    await page.getByRole('heading', { name: 'No findings yet' }).waitFor();
    await page.getByText('No host is approved.').waitFor();
    await expectGoodLooks(page, 'findings-empty');
    fleet = await makeSampleFleet(dashboard);
    await waitFor('the hosts to be counted', async () => (await listed('&group_by=host')).length >= 2);
  });

  it('lists what to do first at the top, under every grouping', async () => {
    await page.goto(`${dashboard.service.url}/findings`);
    for (const [grouping, words] of [
      ['advisory', 'By advisory'],
      ['cve', 'By CVE'],
      ['package', 'By source package'],
      ['host', 'By host'],
    ] as const) {
      if (grouping !== 'advisory') await choose(page, 'Grouping', words);
      await page.getByRole('heading', { name: words }).waitFor();
      const rows = await listed(`&group_by=${grouping}`);
      expect(rows.length).toBeGreaterThan(1);
      const shown = rows.slice(0, 100).map(({ key, title }) => (grouping === 'host' ? title : key));
      await waitFor('the first rows', async () => {
        const cells = await firstCells();
        return cells.length > 0 && cells.every((cell, index) => cell === shown[index]);
      });
      await expectGoodLooks(page, `findings-by-${grouping}`);
    }
  });

  it('leads from each number of hosts to these hosts', async () => {
    await page.goto(`${dashboard.service.url}/findings?q=CVE-2026-90001`);
    const [row] = await listed('&q=CVE-2026-90001');
    expect(row?.hosts).toBe(2);
    await page.getByRole('link', { name: `2 hosts with ${row?.key}` }).click();
    await page.waitForURL(/group_by=host/);
    await settled((await listed(`&group_by=host&advisory=${row?.key}`)).map(({ title }) => title));
    expect(await firstCells()).toHaveLength(2);
    await page.goBack();
    const [state, hosts] = Object.entries(row?.hosts_by_fix_state ?? {})[0] ?? [];
    await table().getByRole('listitem').first().getByRole('link').click();
    await page.waitForURL(new RegExp(`fix_state=${state}`));
    await waitFor('the hosts', async () => (await firstCells()).length === hosts);
  });

  it('keeps filters in the address, and says when nothing matches', async () => {
    await page.goto(`${dashboard.service.url}/findings`);
    await page.getByText('Known exploited', { exact: true }).first().click();
    await page.waitForURL(/known_exploited=true/);
    const exploited = await listed('&known_exploited=true');
    expect(exploited.length).toBeGreaterThan(0);
    await settled(exploited.map(({ key }) => key));
    await page.reload();
    await settled(exploited.map(({ key }) => key));
    await page.getByRole('searchbox', { name: 'Search findings' }).fill('nothing has this name');
    await page.getByRole('heading', { name: 'No finding matches' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filters' }).click();
    await page.waitForURL((url) => url.search === '');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(
      /^plimsoll-findings-by-advisory(-incomplete)?\.csv$/,
    );
  });

  it('say beside every list of what is exploited that the list of CISA is old', async () => {
    await page.goto(`${dashboard.service.url}/`);
    const exploited = page.getByText(/hosts? ha(s|ve) vulnerabilities that are known to be exploited/);
    await exploited.waitFor();
    // All findings are known.
    expect(await exploited.textContent()).toMatch(/^\d/);
    await dashboard.database.db.pool.query(
      `UPDATE feeds SET updated_at = now() - interval '90 days' WHERE id = 'cisa-kev'`,
    );
    const [host] = (await fleet.client.get('/hosts?known_exploited=true')).body as readonly {
      readonly id: string;
    }[];
    for (const path of [
      '/findings?known_exploited=true',
      '/advisories?exploited=true',
      '/hosts?known_exploited=true',
      `/hosts/${host?.id}?tab=vulnerable&fix=all&exploited=true`,
    ]) {
      await page.goto(`${dashboard.service.url}${path}`);
      await page
        .getByRole('main')
        .getByText(/is not known here: CISA KEV is outdated\.$/)
        .waitFor();
      await page.getByRole('table').first().waitFor();
    }
    await expectGoodLooks(page, 'host-exploited-outdated');
    await page.goto(`${dashboard.service.url}/`);
    await page
      .getByText(/^At least \d+ hosts? ha(s|ve) vulnerabilities that are known to be exploited/)
      .waitFor();
  });

  it('do not rule out the hosts that match but of which not all findings are known', async () => {
    await fleet.client.enrol('quiet-1');
    for (const [search, hosts] of [
      // Also lab-1.
      ['overall_action=upgrade_release_urgent', '2 hosts'],
      ['overall_action=upgrade_release_urgent&approval_status=approved', '1 host'],
      ['known_exploited=true&q=quiet-1', '1 host'],
      ['known_exploited=true&q=nothing-has-this-name', null],
    ] as const) {
      const [asked] = await Promise.all([
        page.waitForResponse((response) => response.url().includes('findings_known=false')),
        page.goto(`${dashboard.service.url}/hosts?${search}`),
      ]);
      await asked.finished();
      await page.getByRole('heading', { name: 'No host matches all filters' }).waitFor();
      const said = page.getByText('Not all findings are known of');
      if (hosts === null) {
        expect(await said.count()).toBe(0);
      } else {
        await page.getByText(`Not all findings are known of ${hosts}, which may belong here.`).waitFor();
        const total = Number.parseInt(hosts, 10);
        await said.getByRole('link').click();
        await page
          .getByRole('region', { name: 'List of hosts' })
          .getByText(total === 1 ? '1 host' : `${total} hosts`, { exact: true })
          .waitFor();
      }
    }
    // A feed that lists only fixes says nothing of what is unfixed.
    await insertManyHosts(dashboard.database.db, 100);
    const [made] = (await fleet.client.get('/hosts?q=host-000100')).body as readonly {
      gaps: string[];
      unfixed_count: number;
    }[];
    expect([made?.gaps, made?.unfixed_count]).toEqual([expect.arrayContaining(['feed_lists_fixes_only']), 0]);
    await page.goto(`${dashboard.service.url}/hosts?unfixed=true&q=host-000100`);
    await page.getByText('Findings without a fix are not known of 1 host, which may belong here.').waitFor();
    await page.goto(`${dashboard.service.url}/hosts?overdue=true&has_findings=true&q=host-000100`);
    await page.getByRole('heading', { name: 'No host matches all filters' }).waitFor();
    expect(await page.getByText('Findings without a fix are not known of').count()).toBe(0);
    // Actions that do not come from findings.
    await page.goto(`${dashboard.service.url}/hosts?overall_action=restart&q=quiet-1`);
    await page.getByRole('heading', { name: 'No host matches all filters' }).waitFor();
    expect(await page.getByText('Not all findings are known of').count()).toBe(0);
  });
});
