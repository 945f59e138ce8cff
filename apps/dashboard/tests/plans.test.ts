import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';
import { makeSampleFleet, matched, type SampleFleet } from './sample-fleet.ts';
import { upToDateMachine } from './sample-machines.ts';

describeDashboard('patch windows', {}, (dashboard) => {
  let fleet: SampleFleet;

  beforeAll(async () => {
    fleet = await makeSampleFleet(dashboard);
  });

  const host = (page: Page, name: string) => page.getByRole('article', { name });
  const saved = async (page: Page, button: string) => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
  };

  it('plans the selected hosts in three clicks, saves files, and follows what hosts did', async () => {
    const page = await dashboard.openAs('/hosts');
    // Hosts are searched for one after the other.
    const search = page.getByPlaceholder('Search by name');
    // Until the list is read, neither host is in it.
    await page.getByRole('checkbox', { name: 'Select lab-1' }).waitFor();
    for (const [name, other] of [
      ['web-1', 'lab-1'],
      ['lab-1', 'web-1'],
    ]) {
      await search.fill(name ?? '');
      await page.getByRole('checkbox', { name: `Select ${other}` }).waitFor({ state: 'hidden' });
      await page.getByRole('checkbox', { name: `Select ${name}` }).click({ force: true });
    }
    await page.getByText('2 hosts selected (1 not in this view)').waitFor();
    await page.getByRole('button', { name: 'Set exposure' }).click();
    const question = page.getByRole('dialog');
    await question.getByText('1 of 2 are not in the list that you see.').waitFor();
    await question.getByRole('button', { name: 'Cancel' }).click();
    // A list of hosts to reboot says nothing about hosts of other lists.
    await page.goto(`${dashboard.service.url}/hosts?reboot_state=needed`);
    await page.getByText(/^2 hosts selected \([12] not in this view\)$/).waitFor();
    const plan = page.getByRole('link', { name: 'Plan updates' });
    expect(await plan.getAttribute('href')).not.toContain('reboot');
    await plan.click();
    await page.getByRole('heading', { name: 'Patch window', level: 1 }).waitFor();
    await host(page, 'web-1').getByText('Planned', { exact: true }).waitFor();
    await host(page, 'lab-1').getByText('Cannot be planned').waitFor();
    await host(page, 'lab-1').getByText('No report processed yet').waitFor();
    await page.getByText(/moves? closes? .* with a fix|that can be closed/).waitFor();
    await expectGoodLooks(page, 'plan');
    const closed = page.getByRole('table', { name: 'Advisories closed on web-1' });
    expect(await closed.count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await closed.waitFor();
    expect(await page.getByRole('button').filter({ visible: true }).allInnerTexts()).not.toContain('CSV');
    // What was chosen is said, and empty panels are left out.
    await page.getByText('All; exactly these versions').waitFor();
    expect(await page.getByRole('heading', { name: 'Options' }).isVisible()).toBe(false);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await closed.waitFor({ state: 'detached' });
    await page.emulateMedia({ media: 'screen' });

    const script = await saved(page, 'Shell script');
    expect([script.name, script.text.startsWith('#!/bin/sh\n')]).toEqual(['plimsoll-plan.sh', true]);
    expect((await saved(page, 'CSV')).text).toContain('web-1');

    await page.getByText('Hosts may be rebooted').click();
    await page.waitForURL(/reboot=true/);
    await page.getByLabel('Name').fill('Monday');
    await page.getByRole('button', { name: 'Save the plan' }).click();
    await page.getByRole('heading', { name: 'Monday', level: 1 }).waitFor();
    await page
      .getByText(
        '0 done, 0 still open, 1 not reported since, 0 with nothing to install, 1 cannot be planned.',
      )
      .waitFor();
    expect((await saved(page, 'Ansible playbook')).text).toContain('hosts: web-1');

    // The host reports that everything is installed; the page follows by itself.
    const machineId = /"\$machine" = '?([0-9a-f]{32})/.exec(script.text)?.[1] ?? '';
    await fleet.client.upload(fleet.vulnerable.token, upToDateMachine('web-1', machineId));
    await matched(fleet.client, fleet.vulnerable.id);
    await page.getByText(/^(1 done, 0|0 done, 1) still open, 0 not reported since/).waitFor();
    await expectGoodLooks(page, 'plan-saved');
  });

  it('plans the filtered list and hosts by tag, and lists saved plans', async () => {
    const page = await dashboard.openAs('/hosts?tag=web');
    await page.getByRole('link', { name: 'Plan updates' }).click();
    await host(page, 'web-1').waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
    await page.getByRole('link', { name: 'Patch windows' }).click();
    await page.getByRole('link', { name: 'Monday' }).waitFor();
    await expectGoodLooks(page, 'plans');
    await page.getByRole('textbox', { name: 'Tags' }).fill('web, mail');
    await page.getByRole('button', { name: 'Plan updates' }).click();
    await host(page, 'web-1').waitFor();
    await page.goto(`${dashboard.service.url}/plans?tags=nothing`);
    await page.getByText('0 planned, 0 with nothing to install, 0 cannot be planned').waitFor();
    await page.goto(`${dashboard.service.url}/plans?filter=status%3Dodd`);
    await page.getByRole('alert').getByText('Request').waitFor();
  });

  it('shows a viewer plans, and no button that it may not press', async () => {
    const viewer = { email: 'viewer@example.org', password: 'quite a long password' };
    await fleet.client.send('POST', '/users', { ...viewer, role: 'viewer' });
    const page = await dashboard.openAs('/plans?filter=all', viewer);
    await host(page, 'web-1').waitFor();
    await page
      .getByText(/^\d+, summed over the hosts/)
      .first()
      .waitFor();
    expect(await page.getByRole('button', { name: 'Save the plan' }).count()).toBe(0);
    await page.goto(`${dashboard.service.url}/plans`);
    await page.getByRole('link', { name: 'Monday' }).click();
    await page.getByRole('heading', { name: 'Progress' }).waitFor();
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    // A plan that does not exist for a user has no files.
    await page.goto(`${dashboard.service.url}/plans/${fleet.vulnerable.id}`);
    await page.getByText('No saved plan has this id.').waitFor();
    expect(await page.getByRole('button', { name: 'Shell script' }).count()).toBe(0);
  });
});
