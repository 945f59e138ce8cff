import { randomBytes } from 'node:crypto';
import type { Snapshot } from '@plimsoll/model';
import { encodeSnapshot } from '@plimsoll/reports';
import { type Client, waitFor } from '@plimsoll/testing';
import type { Page } from 'playwright-core';
import { debianMachine } from '../../../tests/pipeline/debian-machine.ts';
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';
import { matched } from './sample-fleet.ts';
import { platformOf } from './sample-machines.ts';

const dayMs = 24 * 60 * 60 * 1000;
const source = 'deb.example.org_debian-security_dists_bookworm-security';

/**
 * A machine whose only repository is Debian's security repository. `published`: the date in its report; null: no date.
 */
function machine(hostname: string, published: Date | null): Uint8Array {
  const base = debianMachine();
  const repositories: Snapshot['repositories'] = [
    {
      id: `${source}_main_binary-amd64`,
      url: 'http://deb.example.org/debian-security',
      enabled: true,
      origin: 'Debian',
      suite: 'bookworm-security',
    },
  ];
  return encodeSnapshot({
    ...base,
    platform: platformOf(hostname, randomBytes(16).toString('hex')),
    repositories,
    observed: {
      ...base.observed,
      refreshed:
        published === null
          ? []
          : [
              {
                repositoryId: source,
                at: new Date(),
                publishedAt: published,
                validUntil: null,
                error: '',
              },
            ],
    },
  });
}

describeDashboard('repositories of the fleet', {}, (dashboard) => {
  let client: Client;
  let page: Page;

  const rows = () => page.getByRole('table', { name: 'Repositories' }).locator('tbody tr');

  async function addHost(hostname: string, published: Date | null): Promise<void> {
    const host = await client.enrol(hostname);
    await client.upload(host.token, machine(hostname, published));
    await matched(client, host.id);
  }

  beforeAll(async () => {
    page = await dashboard.openAs('/repositories');
    client = await dashboard.setUp();
  });

  it('are not praised where there is no host', async () => {
    await page.getByRole('heading', { name: 'No approved hosts' }).waitFor();
    expect(await rows().count()).toBe(0);
  });

  it('are not known where collectors report no dates', async () => {
    await addHost('old-collector', null);
    await page.reload();
    await page.getByText(/Collectors before 0\.2\.0 do not report them/).waitFor();
    await page.getByRole('link', { name: /1\s+not known/ }).waitFor();
    await expectGoodLooks(page, 'repositories-without-dates');
    await page.getByText('Only outdated').click();
    await page.getByRole('heading', { name: 'No repository is known to be outdated' }).waitFor();
    await page.getByText('Whether the repositories of 1 host are current is not known.').waitFor();
  });

  it('are listed with the hosts that are behind, found from the menu', async () => {
    const newest = new Date(Date.now() - dayMs);
    await addHost('stuck', new Date(Date.now() - 40 * dayMs));
    for (const name of ['web-1', 'web-2', 'web-3']) await addHost(name, newest);
    await waitFor('the stuck host to be outdated', async () => {
      const { body } = await client.get('/repositories?outdated=true');
      return Array.isArray(body) && body.length === 1;
    });
    await page.goto(dashboard.service.url);
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Repositories' }).click();
    await rows().first().waitFor();
    const cells = await rows().first().locator('td').allTextContents();
    expect(cells.slice(0, 3)).toEqual(['bookworm-security (main), amd64', '1 host', '5']);
    expect(cells[3]).toContain('from three hosts or more');
    expect(await rows().count()).toBe(1);
    await expectGoodLooks(page, 'repositories');
    await page.getByRole('link', { name: /1\s+host has an outdated repository/ }).click();
    await page.waitForURL(/repositories_state=outdated/);
    await page.getByRole('link', { name: 'stuck' }).waitFor();
    expect(await page.getByRole('link', { name: 'web-1' }).count()).toBe(0);
  });
});
