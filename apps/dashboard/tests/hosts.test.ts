import { type Client, insertManyHosts, waitFor } from '@plimsoll/testing';
import type { Page } from 'playwright-core';
import {
  adminEmail,
  adminPassword,
  describeDashboard,
  expectGoodLooks,
  signIn,
} from './dashboard-under-test.ts';
import { enrolPending } from './sample-fleet.ts';

const hostile = `<img src=x onerror=alert(1)>\u202e${'long'.repeat(40)}`;

/** Counts the windows of hosts that a page requests from now on. */
function watchWindows(page: Page): readonly string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/api/v1/hosts') asked.push(url.search);
  });
  return asked;
}

describeDashboard('the hosts', { apps: ['api', 'ssh-worker'] }, (dashboard) => {
  let client: Client;

  beforeAll(async () => {
    client = await dashboard.setUp();
  });

  const list = (page: Page) => page.getByRole('region', { name: 'List of hosts' });
  const total = (page: Page, words: string | RegExp) =>
    list(page).getByRole('status').getByText(words, { exact: true }).waitFor();
  const add = async (display_name: string, tags: readonly string[] = []) => {
    const { body } = await client.send('POST', '/hosts/manual', { display_name, hostname: 'h.example.org' });
    const { id } = body as { readonly id: string };
    if (tags.length > 0) await client.send('PATCH', `/hosts/${id}`, { tags });
    return id;
  };

  it('says of an empty list what to do', async () => {
    const page = await dashboard.openAs('/hosts');
    await page.getByRole('heading', { name: 'No hosts yet' }).waitFor();
    await expectGoodLooks(page, 'hosts-empty');
    await page.getByRole('link', { name: 'Add a host' }).click();
    await page.waitForURL('**/add-hosts');
  });

  it('keeps search, filters and order in the address, and gives each filter back', async () => {
    for (const name of ['alpha', 'bravo', 'charlie']) await add(name, name === 'bravo' ? ['web'] : []);
    await enrolPending(client, 'waiting');
    const page = await dashboard.openAs('/hosts');
    await total(page, '4 hosts');
    await page.getByRole('searchbox').fill('CHAR');
    await total(page, '1 host');
    expect(new URL(page.url()).searchParams.get('q')).toBe('CHAR');
    await page.getByRole('searchbox').fill('');
    await total(page, '4 hosts');
    await page.getByRole('button', { name: /^Approval: any/ }).click();
    await page.getByRole('option', { name: 'Waiting for approval' }).click();
    await total(page, '1 host');
    await page.reload();
    await total(page, '1 host');
    await page.getByRole('button', { name: 'Remove the filter Approval: Waiting for approval' }).click();
    await total(page, '4 hosts');
    await page.getByRole('button', { name: 'All filters' }).click();
    await expectGoodLooks(page, 'hosts-filters');
    await page.getByLabel('Tag', { exact: true }).fill('web');
    await page.getByRole('button', { name: 'Show the hosts' }).click();
    await total(page, '1 host');
    await page.getByRole('link', { name: 'bravo' }).waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByRole('button', { name: 'Host', exact: true }).click();
    await page.waitForURL(/sort=display_name/);
    await waitFor('the order to be by name', async () => {
      const names = await page.getByRole('row').getByRole('link').allTextContents();
      return names.join() === 'alpha,bravo,charlie,waiting';
    });
    await page.goto(`${dashboard.service.url}/hosts?q=nothing`);
    await page.getByRole('heading', { name: 'No host matches' }).waitFor();
    await expectGoodLooks(page, 'hosts-no-match');
    await page.getByRole('button', { name: 'Clear the search and all filters' }).click();
    await total(page, '4 hosts');
    await page.goto(`${dashboard.service.url}/hosts?status=odd`);
    await page.getByRole('alert').getByText('Request').waitFor();
  });

  it('opens a host whose link is pressed right after typing, although its page loads slowly', async () => {
    const page = await dashboard.openAs('/hosts');
    await total(page, '4 hosts');
    await page.clock.install();
    await page.route('**/assets/host-page*.js', async (route) => {
      await page.clock.runFor(1_000); // longer than a pause in typing
      await route.continue();
    });
    await page.getByRole('searchbox').fill('br');
    await page.getByRole('link', { name: 'bravo' }).click();
    await page.getByRole('heading', { name: 'bravo' }).waitFor();
  });

  it('tags, approves and deletes many at once, and says how many before and where it failed', async () => {
    const gone = await add('golf');
    const page = await dashboard.openAs('/hosts?sort=display_name');
    await total(page, '5 hosts');
    await page.getByRole('button', { name: 'Select all 5' }).click();
    await total(page, '5 of 5 hosts selected');
    await expectGoodLooks(page, 'hosts-selected');
    await page.getByRole('button', { name: 'Tag', exact: true }).click();
    await page.getByLabel('Tag', { exact: true }).fill('audited');
    await page.getByRole('button', { name: 'Tag: 5 hosts' }).click();
    await page.getByText('5 hosts tagged.').waitFor();
    const tagged = (await client.get('/hosts?tag=audited')).body as unknown[];
    expect(tagged).toHaveLength(5);

    await page.getByRole('button', { name: 'Select all 5' }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('4 hosts left out: already approved.').waitFor();
    await page.getByRole('button', { name: 'Approve: 1 host' }).click();
    await page.getByText('1 host approved.').waitFor();

    for (const name of ['charlie', 'golf'])
      await page.getByRole('checkbox', { name: `Select ${name}` }).click({ force: true });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await expectGoodLooks(page, 'hosts-delete');
    // Another client was faster with one of them.
    await client.send('DELETE', `/hosts/${gone}`);
    await page.getByRole('button', { name: 'Delete: 2 hosts' }).click();
    await page.getByText(/1 of 2 hosts deleted, 1 failed/).waitFor();
    await page.getByRole('list', { name: 'Hosts that failed' }).getByText('golf').waitFor();
    await page.getByText('It is no longer there').waitFor();
    await expectGoodLooks(page, 'hosts-delete-failed');
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await total(page, '3 hosts');
    const left = (await client.get('/hosts')).body as readonly { readonly display_name: string }[];
    expect(left.map(({ display_name }) => display_name).sort()).toEqual(['alpha', 'bravo', 'waiting']);
  });

  it('lets go of selected hosts that another person approved meanwhile', async () => {
    const { id } = await enrolPending(client, 'newcomer');
    const page = await dashboard.openAs('/hosts?approval_status=pending');
    await page.getByRole('button', { name: 'Select all 1' }).click();
    await total(page, '1 of 1 host selected');
    await client.send('POST', `/hosts/${id}/approve`);
    await total(page, '1 host selected (1 not in this view)');
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await total(page, '0 hosts');
    await client.send('DELETE', `/hosts/${id}`);
  });

  it('have a mark where another host has the same machine id, and are named before they are approved', async () => {
    const first = await enrolPending(client, 'first', 'c'.repeat(32));
    const twin = await enrolPending(client, 'twin', 'c'.repeat(32));
    const page = await dashboard.openAs('/hosts?approval_status=pending&sort=display_name');
    await page.getByRole('row').filter({ hasText: 'twin' }).getByText('Same machine id').waitFor();
    await page.getByRole('button', { name: 'Select all 2' }).click();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText(/ with the machine id of another host:/).waitFor();
    await page
      .getByRole('list', { name: 'Hosts with the machine id of another host' })
      .getByText('twin')
      .waitFor();
    await expectGoodLooks(page, 'hosts-approve-twins');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear selection' }).click();
    for (const { id } of [first, twin]) await client.send('DELETE', `/hosts/${id}`);
  });

  it('are selected by touch on a phone, and stay selected on other pages until the end of the session', async () => {
    const page = await dashboard.openAs('/hosts?sort=display_name');
    await page.setViewportSize({ width: 390, height: 844 });
    await total(page, '3 hosts');
    const box = page.getByRole('checkbox', { name: 'Select bravo' });
    const target = await box.evaluate((input) => {
      const { left, top, width, height } = (input.closest('label') ?? input).getBoundingClientRect();
      return { x: left + 3, y: top + height - 3, width, height };
    });
    expect([target.width >= 44, target.height >= 44]).toEqual([true, true]);
    await page.mouse.click(target.x, target.y);
    await total(page, '1 of 3 hosts selected');
    await expectGoodLooks(page, 'hosts-selected-one');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('link', { name: 'alpha' }).click();
    await page.getByRole('heading', { name: 'alpha' }).waitFor();
    await page.goBack();
    await total(page, '1 of 3 hosts selected');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('searchbox').fill('alpha');
    await total(page, '1 host selected (1 not in this view)');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signIn(page, { email: adminEmail, password: adminPassword });
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Hosts', exact: true })
      .click();
    await total(page, '3 hosts');
  });

  it('keep the focus near when the button of an action is gone', async () => {
    const page = await dashboard.openAs('/hosts?sort=display_name');
    const select = page.getByRole('button', { name: 'Select all 3' });
    await select.press('Enter');
    await total(page, '3 of 3 hosts selected');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'List of hosts');
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
    await total(page, '3 hosts');
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'List of hosts');
  });

  it('pulls those of the picked hosts that are pulled, and says why one failed', async () => {
    await client.send('POST', '/hosts/ssh', {
      display_name: 'pulled',
      hostname: '127.0.0.1',
      ssh_user: 'nobody',
    });
    const page = await dashboard.openAs('/hosts');
    await page.getByRole('button', { name: 'Select all 4' }).click();
    await page.getByRole('button', { name: 'Pull now' }).click();
    await page.getByText(/^3 hosts left out/).waitFor();
    await page.getByRole('button', { name: 'Pull now: 1 host' }).click();
    await page.getByText(/0 of 1 host .*1 failed/).waitFor();
    const job = (await client.get('/hosts?onboarding_mode=ssh')).body as readonly { readonly id: string }[];
    const jobs = (await client.get(`/hosts/${job[0]?.id}/pull-jobs`)).body as readonly {
      readonly error_message: string;
    }[];
    await page
      .getByRole('list', { name: 'Hosts that failed' })
      .getByText(jobs[0]?.error_message ?? '?')
      .waitFor();
  });

  it('is worked by keyboard alone: from the search over the order to a picked host', async () => {
    const page = await dashboard.openAs('/hosts?sort=display_name');
    await total(page, '4 hosts');
    await page.getByRole('searchbox').focus();
    await page.keyboard.type('alpha');
    await total(page, '1 host');
    const tabTo = async (name: string) => {
      for (let press = 0; press < 30; press++) {
        await page.keyboard.press('Tab');
        const focused = await page.evaluate(() => {
          const element = document.activeElement;
          return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
        });
        if (focused.trim() === name) return;
      }
      throw new Error(`Tab does not lead to ${name}`);
    };
    await tabTo('Hosts');
    await tabTo('Host');
    await page.keyboard.press('Enter');
    await page.waitForURL(/sort=-display_name/);
    await tabTo('Select alpha');
    await page.keyboard.press('Space');
    await total(page, '1 of 1 host selected');
    await tabTo('alpha');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/hosts\/[0-9a-f-]{36}/);
  });

  it('shows names full of markup as text, however long they are', async () => {
    const { body } = await client.get('/hosts?q=bravo');
    const [host] = body as readonly { readonly id: string }[];
    await dashboard.database.db.pool.query('UPDATE hosts SET display_name = $2 WHERE id = $1', [
      host?.id,
      hostile,
    ]);
    const page = await dashboard.openAs('/hosts?sort=display_name');
    await page.getByRole('link', { name: '<img src=x onerror=alert(1)>' }).waitFor();
    expect(await list(page).locator('img').count()).toBe(0);
    await expectGoodLooks(page, 'hosts-hostile');
  });

  it('offers a viewer nothing that would be refused', async () => {
    const user = { email: 'viewer@example.org', password: 'correct horse viewer' };
    await client.send('POST', '/users', { ...user, name: '', role: 'viewer' });
    const page = await dashboard.openAs('/hosts', user);
    await total(page, '4 hosts');
    expect(await list(page).getByRole('checkbox').count()).toBe(0);
    expect(
      await list(page)
        .getByRole('button', { name: /select|approve|delete|tag|pull/i })
        .count(),
    ).toBe(0);
    expect(await page.getByRole('main').getByRole('link', { name: 'Add hosts' }).count()).toBe(0);
  });

  describe('of which there are 100,000', () => {
    const rows = (page: Page) => list(page).locator('tbody tr:not([aria-hidden])');

    beforeAll(async () => {
      await dashboard.database.db.pool.query('DELETE FROM hosts');
      await insertManyHosts(dashboard.database.db, 100_000);
    });

    it('shows the last one at the end, with few rows in the document and few requests', async () => {
      const page = await dashboard.openAs('/hosts?sort=display_name');
      await total(page, '100,000 hosts');
      await page.getByRole('link', { name: 'host-000001' }).waitFor();
      const asked = watchWindows(page);
      const frame = page.getByRole('group', { name: 'Hosts' });
      await frame.focus();
      await page.keyboard.press('End');
      await page.getByRole('link', { name: 'host-100000' }).waitFor();
      expect(await rows(page).last().getAttribute('aria-rowindex')).toBe('100001');
      expect(asked.length).toBeLessThanOrEqual(6);
      expect(asked.every((query) => query.includes('limit=100&'))).toBe(true);
      expect(await rows(page).count()).toBeLessThan(80);
      await page.keyboard.press('Home');
      await page.getByRole('link', { name: 'host-000001' }).waitFor();
      await expectGoodLooks(page, 'hosts-many');
    });

    it('shows whole names on a phone, and the place at which it stands stays when the phone is turned', async () => {
      const page = await dashboard.openAs('/hosts?sort=display_name');
      await page.setViewportSize({ width: 360, height: 780 });
      const name = page.getByRole('link', { name: 'host-000001' });
      await name.waitFor();
      expect(await name.evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true);
      const heights = async () => (await rows(page).first().boundingBox())?.height;
      expect(await heights()).toBe(76);
      await page.getByRole('group', { name: 'Hosts' }).focus();
      await page.keyboard.press('End');
      await page.getByRole('link', { name: 'host-100000' }).waitFor();
      await page.setViewportSize({ width: 780, height: 360 });
      await page.getByRole('link', { name: 'host-100000' }).waitFor();
      expect(await heights()).toBe(76);
    });

    it('scrolls to where it is asked, also from a focused row, and keeps the focus in the list', async () => {
      const page = await dashboard.openAs('/hosts?sort=display_name');
      await page.getByRole('link', { name: 'host-000003' }).focus();
      const frame = page.getByRole('group', { name: 'Hosts' });
      await frame.evaluate((element) => element.scrollTo({ top: 76 * 500 }));
      await page.getByRole('link', { name: 'host-000505' }).waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Hosts');
      expect(await frame.evaluate((element) => element.scrollTop)).toBe(76 * 500);
    });

    it('begins another order or filter at its start', async () => {
      const page = await dashboard.openAs('/hosts?sort=display_name');
      await page.getByRole('link', { name: 'host-000001' }).waitFor();
      await page.getByRole('group', { name: 'Hosts' }).focus();
      await page.keyboard.press('End');
      await page.getByRole('link', { name: 'host-100000' }).waitFor();
      await page.goto(`${dashboard.service.url}/hosts?sort=display_name&tag=lucky`);
      await total(page, '100 hosts');
      await page.getByRole('button', { name: 'Host', exact: true }).click();
      await page.getByRole('link', { name: 'host-099007' }).waitFor();
    });

    it('asks only for what is seen while it is scrolled through, and keeps its rows bounded', async () => {
      const page = await dashboard.openAs('/hosts?sort=display_name');
      await page.getByRole('link', { name: 'host-000001' }).waitFor();
      const asked = watchWindows(page);
      const { frames, mostRows } = await page.getByRole('group', { name: 'Hosts' }).evaluate(
        (frame) =>
          new Promise<{ frames: number[]; mostRows: number }>((resolve) => {
            const times: number[] = [];
            let most = 0;
            let before = performance.now();
            const step = (now: number) => {
              times.push(now - before);
              before = now;
              most = Math.max(most, frame.querySelectorAll('tbody tr').length);
              frame.scrollTop += 1_800;
              if (times.length < 180) requestAnimationFrame(step);
              else resolve({ frames: times, mostRows: most });
            };
            requestAnimationFrame(step);
          }),
      );
      const sorted = frames.toSorted((one, other) => one - other);
      const at = (part: number) => sorted[Math.floor(sorted.length * part)]?.toFixed(1);
      process.stdout.write(
        `frames while scrolling: median ${at(0.5)} ms, 95% ${at(0.95)} ms, worst ${at(0.999)} ms; ${asked.length} requests\n`,
      );
      expect(mostRows).toBeLessThan(80);
      // 4,200 hosts at 100 per window: no window is requested twice at any scroll speed.
      expect(new Set(asked).size).toBe(asked.length);
      expect(asked.length).toBeLessThanOrEqual(75);
    });
  });
});
