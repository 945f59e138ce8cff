import type { Page, Route } from 'playwright-core';
import { describeDashboard, signIn } from './dashboard-under-test.ts';
import { fullSize, pdfScales } from './pdf-scales.ts';
import { makeSampleFleet, type SampleFleet } from './sample-fleet.ts';

const advisoriesCode = '**/assets/advisories-page-*.js';

describeDashboard('a page of the dashboard', {}, (dashboard) => {
  let fleet: SampleFleet;

  beforeAll(async () => {
    fleet = await makeSampleFleet(dashboard);
  });

  /** Opens a fleet page whose remaining code is gone, as after an upgrade of the server. */
  async function openOutdated(): Promise<Page> {
    const page = await dashboard.openAs('/');
    await page.getByRole('heading', { name: 'What to do' }).waitFor();
    await page.route(advisoriesCode, (route) => route.fulfill({ status: 404 }));
    return page;
  }

  it('is loaded anew when the server was upgraded under it, and shows what was asked for', async () => {
    const page = await openOutdated();
    const answerAsUpgraded = async (route: Route) => {
      if (route.request().isNavigationRequest()) {
        await page.unroute(advisoriesCode);
        await route.fallback();
        return;
      }
      const response = await route.fetch();
      const body = (await response.text()).replace(/\/assets\/index-[\w-]+\.js/, '/assets/index-upgraded.js');
      await route.fulfill({ response, body });
    };
    await page.route((url) => url.pathname === '/' || url.pathname === '/advisories', answerAsUpgraded);
    await page.getByRole('link', { name: 'Advisories' }).first().click();
    await page.getByRole('heading', { name: 'Advisories', level: 1 }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/advisories');
    expect(
      await page.evaluate(() =>
        performance
          .getEntriesByType('navigation')
          .map((entry) => (entry as PerformanceNavigationTiming).type),
      ),
    ).toEqual(['reload']);
    expect(dashboard.complaints()).toEqual([expect.stringMatching(/^PageMissing/)]);
  });

  it('says that its code is missing where no upgrade is why, and is not loaded again and again', async () => {
    const page = await openOutdated();
    let navigations = 0;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) navigations++;
    });
    const asked = page.waitForResponse((response) => new URL(response.url()).pathname === '/');
    await page.getByRole('link', { name: 'Advisories' }).first().click();
    await page.getByRole('alert').getByText('Plimsoll was updated or cannot be reached.').waitFor();
    await (await asked).finished();
    expect(navigations).toBe(0);
    await page.unroute(advisoriesCode);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByRole('heading', { name: 'Advisories', level: 1 }).waitFor();
    expect(dashboard.complaints()).toEqual([expect.stringMatching(/^PageMissing/)]);
  });

  it('copies a command where the browser has no clipboard for pages over http', async () => {
    const { port } = new URL(dashboard.service.url);
    const page = await dashboard.open('/');
    await page.goto(`http://plimsoll.test:${port}/add-hosts?way=manual&host=${fleet.manual.id}`);
    await signIn(page, { email: 'admin@example.org', password: 'correct horse battery' });
    expect(await page.evaluate(() => navigator.clipboard === undefined)).toBe(true);
    const command = await page.getByRole('region', { name: 'command' }).textContent();
    await page.getByRole('button', { name: 'Copy command' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    await page.goto(`http://plimsoll.test:${port}/advisories`);
    const search = page.getByRole('searchbox').first();
    await search.focus();
    await page.keyboard.press('Control+V');
    expect(await search.inputValue()).toBe(command);
    const said = dashboard.complaints().filter((one) => !one.startsWith('The Cross-Origin-Opener-Policy'));
    expect(said).toEqual([]);
  });

  it('is printed without what only a screen needs, and with whole tables', async () => {
    const page = await dashboard.openAs('/hosts?approval_status=approved');
    await page.getByRole('table').first().waitFor();
    const seen = async () => ({
      filter: await page.getByText('Approval: Approved').last().isVisible(),
      selection: await page.locator('tbody td').first().isVisible(),
      actions: await page.getByRole('button', { name: 'Select all' }).isVisible(),
      navigation: await page.getByRole('navigation', { name: 'Pages' }).isVisible(),
      filters: await page.getByRole('search').first().isVisible(),
      hasCutTable: await page.evaluate(() =>
        [...document.querySelectorAll('table')].some(
          ({ parentElement }) =>
            parentElement !== null && getComputedStyle(parentElement).overflow !== 'visible',
        ),
      ),
    });
    expect(await seen()).toEqual({
      filter: true,
      selection: true,
      actions: true,
      navigation: true,
      filters: true,
      hasCutTable: true,
    });
    await page.emulateMedia({ media: 'print' });
    expect(await seen()).toEqual({
      filter: true,
      selection: false,
      actions: false,
      navigation: false,
      filters: false,
      hasCutTable: false,
    });
    // Chromium leaves sticky heads, and buttons in heads, out of all pages but the first.
    const heads = await page.locator('main th:visible, main th:visible button').evaluateAll((all) =>
      all.map((place) => {
        const { position, display } = getComputedStyle(place);
        return `${place.tagName} ${position} ${display}`;
      }),
    );
    expect([...new Set(heads)].sort()).toEqual(['BUTTON static contents', 'TH static table-cell']);
    // The table with the most columns is no wider than A4 within the margins.
    await page.goto(`${dashboard.service.url}/time-to-patch`);
    await page.setViewportSize({ width: 718, height: 1000 });
    const shares = page.getByRole('table', { name: 'Share patched within days' });
    await shares.waitFor();
    expect(await page.getByText(/^For an auditor/).isVisible()).toBe(false);
    const box = await shares.boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(718);
  });

  it('is printed at full size, because nothing is wider than the paper, also where a page ends', async () => {
    const page = await dashboard.openAs('/');
    const { vulnerable, upToDate } = fleet;
    for (const place of [
      '/',
      '/hosts',
      `/hosts/${vulnerable.id}`,
      '/findings',
      '/advisories',
      '/time-to-patch',
      '/plans?filter=all',
      `/compare?a=${vulnerable.id}&b=${upToDate.id}`,
    ]) {
      await page.goto(`${dashboard.service.url}${place}`);
      await page.locator('main h1').waitFor();
      await page.locator('main table').first().waitFor();
      // Shorter pages end in other places.
      for (const height of ['297mm', '200mm', '140mm']) {
        const margin = { top: '10mm', right: '10mm', bottom: '10mm', left: '10mm' };
        const scales = pdfScales(await page.pdf({ width: '210mm', height, margin }));
        expect({ place, height, scales }).toEqual({ place, height, scales: scales.map(() => fullSize) });
        expect(scales).not.toEqual([]);
      }
    }
  });

  it('has on A4 the columns of a wide screen, and nothing is cut off at the right', async () => {
    const page = await dashboard.openAs('/');
    /** The heads of the shown columns; those of checkboxes are for screens only. */
    const heads = () =>
      page
        .locator('main th[scope="col"]')
        .filter({ visible: true })
        .evaluateAll((all) => all.map((head) => head.textContent).filter((words) => words !== 'Select'));
    const cut = () =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>('main, main *')]
          .filter((place) => {
            const { width, right } = place.getBoundingClientRect();
            // Text for screen readers only is one pixel wide.
            return (
              width > 1 &&
              (right > innerWidth + 1 || (place.tagName === 'TD' && place.scrollWidth > width + 1))
            );
          })
          .map((place) => `${place.tagName}: ${place.textContent}`),
      );
    /** How many lines each time in a table takes. */
    const linesOfTimes = () =>
      page.locator('main td button:has(time) + span').evaluateAll((all) =>
        all.map((place) => {
          const { lineHeight } = getComputedStyle(place);
          return Math.round(place.getBoundingClientRect().height / Number.parseFloat(lineHeight));
        }),
      );
    const { vulnerable, upToDate, manual } = fleet;
    for (const place of [
      '/findings',
      '/findings?group_by=host',
      '/hosts',
      '/hosts?reboot_state=needed',
      `/hosts/${vulnerable.id}`,
      `/hosts/${manual.id}?tab=packages`,
      '/advisories',
      '/plans?filter=all',
      `/compare?a=${vulnerable.id}&b=${upToDate.id}`,
    ]) {
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.goto(`${dashboard.service.url}${place}`);
      await page.locator('main h1').waitFor();
      await page.locator('main table').first().waitFor();
      const onScreen = await heads();
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 718, height: 1000 });
      expect({ place, heads: await heads(), cut: await cut() }).toEqual({ place, heads: onScreen, cut: [] });
      expect({ place, long: (await linesOfTimes()).filter((lines) => lines > 2) }).toEqual({
        place,
        long: [],
      });
    }
  });
});
