import { readFile } from 'node:fs/promises';
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';
import { makeSampleFleet, type SampleFleet } from './sample-fleet.ts';

describeDashboard('evidence packs, and hosts compared', {}, (dashboard) => {
  let fleet: SampleFleet;

  beforeAll(async () => {
    fleet = await makeSampleFleet(dashboard);
  });

  it('compares two selected hosts, at an address that can be shared', async () => {
    const page = await dashboard.openAs('/hosts');
    await page.getByRole('checkbox', { name: 'Select web-1' }).click({ force: true });
    await page.getByRole('checkbox', { name: 'Select db-1' }).click({ force: true });
    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await page.waitForURL(/\/compare\?a=[0-9a-f-]{36}&b=[0-9a-f-]{36}/);
    await page
      .getByRole('region', { name: /^Findings only on [AB], web-1$/ })
      .getByRole('table')
      .waitFor();
    await expectGoodLooks(page, 'compare');
    await page.goto(`${dashboard.service.url}/compare?a=${fleet.vulnerable.id}&b=${fleet.pending.id}`);
    await page.getByText('B has no report yet').waitFor();
    await page.goto(`${dashboard.service.url}/compare`);
    await page.getByRole('heading', { name: 'No two hosts are chosen' }).waitFor();
    await expectGoodLooks(page, 'compare-empty');
  });

  it('says of which releases there are too few hosts to find the odd one', async () => {
    const page = await dashboard.openAs('/hosts?tag=web');
    await page.getByRole('link', { name: 'Odd ones out' }).click();
    await page.waitForURL(/\/odd-ones-out\?tag=web/);
    const few = page.getByRole('list', { name: 'Releases with too few hosts' });
    await few.getByText('debian:12: 1 host').waitFor();
    await expectGoodLooks(page, 'odd-ones-out');
  });

  it('makes an evidence pack about a host, and shows the fingerprint of its key', async () => {
    const page = await dashboard.openAs(`/hosts/${fleet.vulnerable.id}`);
    await page.getByText('Not enough history to say how often').waitFor();
    const make = async () => {
      await page.getByRole('button', { name: 'Evidence pack' }).click();
      await page.getByRole('button', { name: /Period/ }).click();
      await page.getByRole('option', { name: 'Last 30 days' }).click();
    };
    await make();
    await page.getByText('is made with the first one').waitFor();
    await expectGoodLooks(page, 'evidence-first');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Make and save' }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^plimsoll-evidence-host-web-1-.*\.zip$/);
    expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK');
    await page.getByText('The browser is downloading the evidence pack.').waitFor();
    await page.reload();
    await make();
    await page.getByText(/^SHA256:/).waitFor();
    await expectGoodLooks(page, 'evidence');
  });
});
