import type { Client, EnrolledHost } from '@plimsoll/testing';
import type { Page } from 'playwright-core';
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';
import { importSampleFeeds, matched } from './sample-fleet.ts';
import { rebootDueMachine, rebootUnknownMachine, upToDateMachine } from './sample-machines.ts';

type Machine = (hostname: string, machineId: string) => Uint8Array;

/** It was booted 40 days ago. */
const longRunningMachine: Machine = (hostname, machineId) =>
  rebootDueMachine(hostname, machineId, new Date(Date.now() - 40 * 86_400_000));

describeDashboard('reboots', {}, (dashboard) => {
  let client: Client;
  const hosts = new Map<string, EnrolledHost & { readonly machineId: string }>();

  beforeAll(async () => {
    client = await dashboard.setUp();
    await importSampleFeeds(dashboard, client);
    const machines: readonly (readonly [string, Machine])[] = [
      ['db-1', longRunningMachine],
      ['db-2', rebootDueMachine],
      ['old-1', rebootUnknownMachine],
    ];
    for (const [index, [name, machine]] of machines.entries()) {
      hosts.set(name, { ...(await client.enrol(name)), machineId: String(index).repeat(32) });
      await report(name, machine);
    }
  });

  async function report(name: string, machine: Machine): Promise<void> {
    const host = hosts.get(name);
    if (host === undefined) throw new Error(`no host ${name}`);
    await client.upload(host.token, machine(name, host.machineId));
    await matched(client, host.id);
  }

  const due = (page: Page) => page.getByRole('region', { name: 'Reboots and updates' });
  const progress = (page: Page, text: string) => page.getByRole('status').getByText(text).waitFor();

  it('are followed from why they are due over a plan to done, while the fleet page follows', async () => {
    const fleet = await dashboard.openAs('/');
    await due(fleet)
      .getByRole('link', { name: /^2 .*Reboot needed/ })
      .waitFor();
    await due(fleet)
      .getByRole('link', { name: /^1 .*not known/ })
      .waitFor();

    const page = await dashboard.openAs('/');
    await due(page)
      .getByRole('link', { name: /^2 .*Reboot needed/ })
      .click();
    for (const name of ['db-1', 'db-2']) await page.getByRole('link', { name, exact: true }).waitFor();
    const reason = /^A newer kernel is installed: linux-image-6.1.0-31-amd64 6.1.128-1 is installed/;
    await page.getByRole('link', { name: reason }).first().waitFor();
    expect(await page.getByRole('link', { name: reason }).count()).toBe(2);
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await page.getByRole('columnheader', { name: 'Running since' }).waitFor();
    await row('db-1').getByText('40 days ago').waitFor();
    // It does not say when it was booted.
    await row('db-2').getByText('Not known', { exact: true }).waitFor();
    await expectGoodLooks(page, 'hosts-reboot-needed');
    await page.getByRole('link', { name: 'Plan updates of all 2' }).click();
    await page.getByRole('checkbox', { name: 'Hosts may be rebooted', checked: true }).waitFor();
    await page.getByLabel('Name').fill('Tonight');
    await page.getByRole('button', { name: 'Save the plan' }).click();
    await progress(
      page,
      '0 done, 0 still open, 2 not reported since, 0 with nothing to install, 0 cannot be planned.',
    );

    // A report before the reboot.
    await report('db-1', rebootDueMachine);
    await progress(page, '0 done, 1 still open, 1 not reported since');
    await page.getByRole('table', { name: 'Progress of hosts' }).getByText('A reboot is due.').waitFor();
    // After it.
    await report('db-1', upToDateMachine);
    await progress(page, '1 done, 0 still open, 1 not reported since');
    await due(fleet)
      .getByRole('link', { name: /^1 .*Reboot needed/ })
      .waitFor();
    // A report that does not say whether the host needs a reboot is not one that it does not.
    await report('db-2', rebootUnknownMachine);
    await progress(page, '1 done, 0 still open, 1 not known to be done, 0 not reported since');
    await page.getByText(/All else is done.*The host did not state whether it needs a reboot/).waitFor();
    await due(fleet)
      .getByRole('link', { name: /^2 .*not known/ })
      .waitFor();
    expect(await due(fleet).getByText('No host needs a reboot').count()).toBe(0);
    await expectGoodLooks(page, 'plan-reboots');
    await report('db-2', upToDateMachine);
    await progress(page, '2 done, 0 still open, 0 not reported since');
    await due(fleet)
      .getByRole('link', { name: /^1 .*not known/ })
      .waitFor();
    await report('old-1', upToDateMachine);
    // No host needs a reboot, and of none it is unknown.
    await due(fleet).locator('a[href*="reboot_state=unknown"]').waitFor({ state: 'detached' });
    await due(fleet)
      .getByRole('link', { name: /^0 .*Reboot needed/ })
      .waitFor();
  });
});
