import type { Host, VulnerablePackage } from '@plimsoll/contract';
import { type Client, waitFor } from '@plimsoll/testing';
import type { Page } from 'playwright-core';
import { debianMachine, encodedMachine, installed } from '../../../tests/pipeline/debian-machine.ts';
import { describeDashboard, expectGoodLooks, expectWholeTable } from './dashboard-under-test.ts';
import { enrolPending, makeSampleFleet, matched, type SampleFleet } from './sample-fleet.ts';
import { upToDateMachine, vulnerableMachine } from './sample-machines.ts';
import { sampleReport } from './sample-report.ts';

const viewer = { email: 'vera@example.org', password: 'quite a long password' };

/** Number of rows of a table by its accessible name; `aria-rowcount` if only visible rows are in the document. */
async function rowsOf(page: Page, name: string): Promise<number> {
  const table = page.getByRole('table', { name, exact: true });
  await table.waitFor();
  const all = await table.getAttribute('aria-rowcount');
  return all === null ? await table.locator('tbody tr').count() : Number(all) - 1;
}

/** Waits until the named table has this number of rows. */
async function expectRows(page: Page, name: string, count: number): Promise<void> {
  await waitFor(`${count} rows of ${name}`, async () => (await rowsOf(page, name)) === count);
}

async function foreignHost(client: Client): Promise<string> {
  const { id, token } = await client.enrol('foreign-1');
  const { packages } = debianMachine();
  const foreign = { ...installed('vendor-tool', '1.0'), vendor: 'Example Corp.' };
  await client.upload(token, encodedMachine('foreign', { packages: [...packages, foreign] }));
  await matched(client, id);
  return id;
}

describeDashboard('the page of a host', {}, (dashboard) => {
  let fleet: SampleFleet;
  /** A host with a package that is not from the distribution. */
  let foreign: string;

  beforeAll(async () => {
    fleet = await makeSampleFleet(dashboard);
    foreign = await foreignHost(fleet.client);
    await fleet.client.send('POST', '/users', { ...viewer, role: 'viewer' });
  });

  const hostAt = async (id: string) => (await fleet.client.get(`/hosts/${id}`)).body as Host; // the contract's type

  it('says so when the host goes while somebody looks at it, and when it never was there', async () => {
    const { client } = fleet;
    const { id } = await client.enrol('gone-1');
    const page = await dashboard.openAs(`/hosts/${id}`);
    await page.getByRole('heading', { level: 1, name: 'gone-1' }).waitFor();
    await client.send('DELETE', `/hosts/${id}`);
    await page.getByRole('heading', { name: 'Host not found' }).waitFor();
    await expectGoodLooks(page, 'host-missing');
    await page.goto(`${dashboard.service.url}/hosts/none`);
    await page.getByRole('heading', { name: 'Host not found' }).waitFor();
    await page.getByRole('link', { name: 'All hosts' }).click();
    await page.waitForURL('**/hosts');
  });

  it('says first what to do, and every number leads to as many rows', async () => {
    const page = await dashboard.openAs(`/hosts/${fleet.vulnerable.id}`);
    await page.getByRole('heading', { level: 1, name: 'web-1 Update now' }).waitFor();
    await rowsOf(page, 'Vulnerable packages');
    await expectGoodLooks(page, 'host');
    const counts = page.getByRole('list', { name: 'Findings by kind' }).getByRole('link');
    const kinds = await counts.count();
    expect(kinds).toBeGreaterThan(4);
    for (let index = 0; index < kinds; index += 1) {
      const count = counts.nth(index);
      const words = (await count.textContent()) ?? '';
      const href = await count.getAttribute('href');
      await count.click();
      await page.waitForURL((url) => `${url.pathname}${url.search}` === href);
      await expectRows(page, 'Vulnerable packages', Number(/\d+$/.exec(words)?.[0]));
    }
  });

  it('has in its tabs what their numbers say', async () => {
    const { id } = fleet.vulnerable;
    const host = await hostAt(id);
    const page = await dashboard.openAs(`/hosts/${id}`);
    await page.getByRole('tab', { name: `Updates${host.available_updates}` }).click();
    await expectRows(page, 'Updates offered', host.available_updates);
    if (host.disagreement_count > 0) await expectRows(page, 'Disagreements', host.disagreement_count);
    const { unknown_count } = await hostAt(foreign);
    expect(unknown_count).toBeGreaterThan(0);
    await page.goto(`${dashboard.service.url}/hosts/${foreign}`);
    await page.getByRole('link', { name: `${unknown_count} not checked` }).click();
    await expectRows(page, 'Installed packages', unknown_count);
  });

  it('explains a finding beside the list, by keyboard, at an address of its own', async () => {
    const page = await dashboard.openAs(`/hosts/${fleet.vulnerable.id}`);
    const why = page.getByRole('button', { name: 'Why curl is vulnerable' });
    await why.focus();
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'curl' });
    await drawer.getByRole('heading', { name: 'Why this is vulnerable' }).waitFor();
    await expectGoodLooks(page, 'host-why');
    const advisory = drawer.getByRole('link', { name: 'CVE-2026-90001' }).first();
    expect(await advisory.getAttribute('href')).toBe('/advisories/CVE-2026-90001');
    await page.reload();
    await drawer.waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.has('package')).toBe(false);
  });

  it('shows what one upgrade would do, with the command to copy', async () => {
    const page = await dashboard.openAs(`/hosts/${fleet.vulnerable.id}?tab=updates`);
    const command = page.getByRole('region', { name: 'command, everything' });
    await command.waitFor();
    expect(await command.textContent()).toContain('apt-get');
    for (const list of ['package', 'advisor', 'offer']) {
      const fold = page
        .locator('summary')
        .filter({ hasText: new RegExp(`^\\d+ ${list}`) })
        .first();
      const number = Number(/\d+/.exec((await fold.textContent()) ?? '')?.[0]);
      await fold.click();
      const rows = fold.locator('xpath=..').locator('tbody tr');
      await rows.first().waitFor();
      expect(await rows.count()).toBe(number);
    }
    await expectGoodLooks(page, 'host-updates');
  });

  it('says which kernel runs, why to reboot and which services to restart', async () => {
    const page = await dashboard.openAs(`/hosts/${fleet.vulnerable.id}?tab=kernel`);
    await page.getByText('A newer kernel is installed').waitFor();
    await expectRows(page, 'Services to restart', (await hostAt(fleet.vulnerable.id)).needs_restart);
    const services = page.getByRole('table', { name: 'Services to restart' });
    await services
      .getByRole('row')
      .filter({ hasText: 'nginx.service' })
      .getByText('outdated libraries')
      .waitFor();
    await expectGoodLooks(page, 'host-kernel');
    await page.goto(`${dashboard.service.url}/hosts?reboot_state=needed`);
    await page.getByRole('link', { name: /^A newer kernel is installed: linux-image/ }).waitFor();
    await expectGoodLooks(page, 'hosts-to-reboot');
  });

  it('finds packages by a part of their name, and keeps what was typed in the address', async () => {
    const page = await dashboard.openAs(`/hosts/${fleet.manual.id}?tab=packages`);
    const all = await rowsOf(page, 'Installed packages');
    await expectGoodLooks(page, 'host-packages');
    await expectWholeTable(page, 'Installed packages');
    await page.getByRole('searchbox', { name: 'Search packages' }).fill('openss');
    await page.waitForURL(/q=openss/);
    const found = await rowsOf(page, 'Installed packages');
    expect([found > 0, found < all]).toEqual([true, true]);
    await page.reload();
    await expectRows(page, 'Installed packages', found);
  });

  it('explains why a CVE is a finding on a package, or why not, by keyboard alone', async () => {
    const { client, vulnerable, upToDate } = fleet;
    const [finding] = (await client.get(`/hosts/${vulnerable.id}/packages/vulnerable`))
      .body as readonly VulnerablePackage[]; // the contract's type
    const [name, advisory] = [finding?.name ?? '', finding?.advisories[0]?.id ?? ''];
    const page = await dashboard.openAs(`/hosts/${upToDate.id}?tab=packages`);
    const dialog = page.getByRole('dialog', { name: `${name}: why, or why not?` });
    await page.getByRole('button', { name: `${name}: why, or why not?` }).press('Enter');
    const asked = dialog.getByLabel('Advisory or CVE');
    await asked.and(page.locator(':focus')).waitFor();
    await page.keyboard.type(advisory);
    await page.keyboard.press('Enter');
    await dialog.getByText('Not a finding').waitFor();
    await expectGoodLooks(page, 'host-explain');
    await page.goto(page.url().replace(upToDate.id, vulnerable.id));
    await dialog.getByText('A finding').waitFor();
    await page.keyboard.press('Escape');
    await page.waitForURL(/tab=packages$/);
  });

  it('does not say of a host that waits for approval that there is nothing to do', async () => {
    const { client } = fleet;
    const { id, token } = await enrolPending(client, 'waits-1');
    const refreshed = [
      { repositoryId: 'main', at: new Date(), publishedAt: null, validUntil: null, error: '' },
    ];
    const observed = { bootId: 'x', bootedAt: new Date(), refreshed };
    const packages = [installed('bash', '5.2.15-2+b8', { version: '5.2.15-2' })];
    await client.upload(token, upToDateMachine('waits-1', '3'.repeat(32), { observed, packages }));
    await matched(client, id);
    expect((await hostAt(id)).overall_action).toBe('none');
    const page = await dashboard.openAs(`/hosts/${id}`);
    await page.getByRole('heading', { level: 1 }).getByText('To approve').waitFor();
    await page.getByRole('button', { name: 'Approve' }).press('Enter');
    await page
      .getByRole('heading', { level: 1 })
      .getByText(/^Clear/)
      .waitFor();
    await page.waitForFunction(() => document.activeElement?.localName === 'h1');
    // The list of its findings names what it would show.
    for (const [fix, title] of [
      ['', 'No vulnerability with a fix, negligible ones left out'],
      ['&fix=unfixed', 'No vulnerability without a fix, negligible ones left out'],
      ['&fix=all', 'No vulnerability, negligible ones left out'],
      ['&fix=all&negligible=true', 'No vulnerability'],
      ['&fix=all&severity=critical', 'No finding matches'],
    ] as const) {
      await page.goto(`${dashboard.service.url}/hosts/${id}?tab=vulnerable${fix}`);
      await page.getByRole('heading', { name: title, exact: true }).waitFor();
    }
    await page.getByText('Negligible ones are left out.').waitFor();
    await client.send('DELETE', `/hosts/${id}`);
  });

  it('means by zero findings what the coverage allows', async () => {
    const page = await dashboard.openAs(`/hosts/${fleet.upToDate.id}`);
    const { coverage } = await hostAt(fleet.upToDate.id);
    const titles = {
      full: 'No vulnerability with a fix',
      partial: 'No vulnerability with a fix in the packages that can be checked',
    };
    await page.getByRole('heading', { name: titles[coverage as keyof typeof titles] }).waitFor();
    await expectGoodLooks(page, 'host-no-findings');
  });

  it('shows what changed between two snapshots, and the packages of then', async () => {
    const { client } = fleet;
    const host = await client.enrol('history-1');
    await client.upload(host.token, vulnerableMachine('history-1', '1'.repeat(32)));
    await matched(client, host.id);
    await client.upload(host.token, upToDateMachine('history-1', '1'.repeat(32)));
    await matched(client, host.id);
    const page = await dashboard.openAs(`/hosts/${host.id}?tab=history`);
    await page.getByText(/packages? with resolved vulnerabilities/).click();
    await expectGoodLooks(page, 'host-history');
    expect(await rowsOf(page, 'Resolved findings')).toBeGreaterThan(0);
    await page.getByRole('link', { name: 'Findings at that time' }).last().click();
    await page.getByText('checked against what was known at that time').waitFor();
    await page.getByRole('button', { name: 'Why curl is vulnerable' }).waitFor();
    await page.getByRole('link', { name: 'By what is known today' }).click();
    await page.getByText('checked against the advisories of today').waitFor();
    await page.getByRole('button', { name: 'Why curl is vulnerable' }).waitFor();
    await expectGoodLooks(page, 'host-findings-then');
  });

  it('takes a report by hand, and says which line of a broken one is wrong', async () => {
    const { client } = fleet;
    const { body } = await client.send('POST', '/hosts/manual', {
      display_name: 'by-hand',
      hostname: 'by-hand',
    });
    const { id } = body as Host; // the contract's type
    const page = await dashboard.openAs(`/hosts/${id}?tab=settings`);
    await page.getByRole('status').getByText('No report received yet').waitFor();
    const drop = (text: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'report.txt', mimeType: 'text/plain', buffer: Buffer.from(text) });
    await drop(sampleReport({ machineId: '2'.repeat(32) }).replace('@dpkg\n', '@dpkg\nnonsense\n'));
    await page
      .getByRole('alert')
      .getByText(/line \d+/)
      .first()
      .waitFor();
    await expectGoodLooks(page, 'host-report-refused');
    await drop(sampleReport({ machineId: '2'.repeat(32) }));
    await page.getByText('The report was processed.').waitFor();
    await page.getByRole('tab', { name: 'Uploads' }).click();
    await expectRows(page, 'Uploads', 2);
    await page
      .getByText(/line \d+/)
      .first()
      .waitFor();
    await expectGoodLooks(page, 'host-uploads');
    await page.getByRole('tab', { name: 'Settings' }).click();
    await drop(sampleReport({ machineId: '3'.repeat(32) }));
    await page.getByRole('button', { name: 'Import anyway' }).click();
    await page.getByText('The report was processed.').waitFor();
  });

  it('approves a host that waits', async () => {
    const page = await dashboard.openAs(`/hosts/${fleet.pending.id}`);
    await page.getByText('This host is waiting for approval.').waitFor();
    await expectGoodLooks(page, 'host-pending');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('This host is waiting for approval.').waitFor({ state: 'detached' });
    expect((await hostAt(fleet.pending.id)).approval_status).toBe('approved');
  });

  it('renames, tags and deletes a host, and says what goes', async () => {
    const host = await fleet.client.enrol('short-lived');
    const page = await dashboard.openAs(`/hosts/${host.id}?tab=settings`);
    await page.getByLabel('Display name').fill('another name');
    await page.getByRole('button', { name: 'Save the name' }).click();
    await page.getByRole('heading', { level: 1, name: /another name/ }).waitFor();
    await page.getByLabel('New tag').fill('lab');
    await page.getByRole('button', { name: 'Add tag' }).click();
    await page.getByRole('button', { name: 'Remove tag lab' }).waitFor();
    expect(await hostAt(host.id)).toMatchObject({ display_name: 'another name', tags: ['lab'] });
    await expectGoodLooks(page, 'host-settings');
    await page.getByRole('button', { name: 'Remove tag lab' }).click();
    await page.getByRole('button', { name: 'Remove tag lab' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete host…' }).click();
    const dialog = page.getByRole('alertdialog').or(page.getByRole('dialog'));
    await dialog.getByText('This cannot be undone.').waitFor();
    await expectGoodLooks(page, 'host-delete');
    await dialog.getByRole('button', { name: 'Delete host' }).click();
    await page.waitForURL(/\/hosts$/);
    expect((await fleet.client.get(`/hosts/${host.id}`)).status).toBe(404);
  });

  it('offers a viewer nothing that would be refused', async () => {
    const { client } = fleet;
    const { body } = await client.send('POST', '/hosts/ssh', {
      display_name: 'pulled',
      hostname: '192.0.2.7',
      ssh_user: 'plimsoll',
    });
    const pulled = (body as { readonly host: Host }).host; // the contract's type
    const waiting = await enrolPending(client, 'waits');
    const page = await dashboard.openAs(`/hosts/${pulled.id}`, viewer);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    for (const id of [pulled.id, waiting.id, fleet.vulnerable.id]) {
      await page.goto(`${dashboard.service.url}/hosts/${id}`);
      const tabs = page.getByRole('tab');
      await tabs.first().waitFor();
      for (let index = 0; index < (await tabs.count()); index += 1) {
        await tabs.nth(index).click();
        const offered = await page.locator('main').getByRole('button').allTextContents();
        const changes = offered.filter((words) =>
          /Approve|Delete|Pull|Save|Add|Pause|New key|Accept|Pin|Choose/.test(words),
        );
        expect({ id, index, changes }).toEqual({ id, index, changes: [] });
      }
    }
    await expectGoodLooks(page, 'host-viewer');
    expect(refused).toEqual([]);
  });
});
