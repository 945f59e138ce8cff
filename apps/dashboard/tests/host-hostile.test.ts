import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';
import { hostileFeed, hostileMachine, longName } from './hostile-machine.ts';
import { matched } from './sample-fleet.ts';

describeDashboard('a host whose every text is hostile', {}, (dashboard) => {
  let place: string;

  beforeAll(async () => {
    const client = await dashboard.setUp();
    expect((await client.importFeed(hostileFeed())).body).toMatchObject({ status: 'done' });
    const host = await client.enrol('hostile');
    await client.send('PATCH', `/hosts/${host.id}`, {
      display_name: `<b>${'\u202E'}${'x'.repeat(190)}`,
      tags: ['<script>window.hostile=1</script>', 't'.repeat(100)],
    });
    const answer = await client.upload(host.token, hostileMachine(randomBytes(16).toString('hex')));
    expect(answer.status).toBe(202);
    await matched(client, host.id);
    place = `/hosts/${host.id}`;
  });

  /** No script ran, no text became markup, and the document has no bidirectional control characters. */
  const expectHarmless = async (page: Page) => {
    const found = await page.evaluate(() => ({
      ran: 'hostile' in window,
      elements: document.querySelectorAll('#root img[src^="x"], #root script, #root b').length,
      marks: /[\u202A-\u202E\u2066-\u2069\u200E\u200F]/.test(document.body.textContent ?? ''),
    }));
    expect(found).toEqual({ ran: false, elements: 0, marks: false });
  };

  /** No column takes the space of the others, for text of any length. */
  const expectNarrowCells = async (page: Page) => {
    const widths = await page
      .locator('td > *')
      .evaluateAll((contents) => contents.map((content) => content.getBoundingClientRect().width));
    expect(widths.filter((width) => width > 660)).toEqual([]);
  };

  it.each(['vulnerable', 'updates', 'kernel', 'packages', 'history', 'uploads', 'settings'])(
    'is shown as text that breaks no layout: %s',
    async (tab) => {
      const page = await dashboard.openAs(`${place}?tab=${tab}`);
      await page.reload();
      await page.getByRole('tabpanel').waitFor();
      await page.waitForFunction(() => !document.body.textContent.includes('Loading the'));
      for (const fold of await page.getByRole('tabpanel').locator('summary').all()) await fold.click();
      await expectHarmless(page);
      await expectNarrowCells(page);
      await expectGoodLooks(page, `hostile-${tab}`);
    },
  );

  it('makes no link of an address that is not a web address, next to the list', async () => {
    const page = await dashboard.openAs(place);
    await page.getByRole('button', { name: `Why ${longName.slice(0, 20)}` }).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('heading', { name: 'Why this is vulnerable' }).waitFor();
    await expectHarmless(page);
    await expectGoodLooks(page, 'hostile-why');
    const hrefs = await drawer
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(hrefs.filter((href) => !/^(\/|https?:)/.test(href ?? ''))).toEqual([]);
  });
});
