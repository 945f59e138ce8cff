import { type Client, insertManyHosts, waitFor } from '@plimsoll/testing';
import type { Route } from 'playwright-core';
import {
  describeDashboard,
  expectGoodLooks,
  expectWholeTable,
  listOfHostsSays,
} from './dashboard-under-test.ts';

describeDashboard('groups and the life of hosts', { apps: ['api'] }, (dashboard) => {
  let client: Client;

  beforeAll(async () => {
    client = await dashboard.setUp();
    for (const [display_name, tags] of [
      ['alpha', ['web']],
      ['bravo', ['web']],
      ['charlie', ['db']],
    ] as const)
      await client.send('POST', '/hosts/manual', { display_name, hostname: 'h.example.org', tags });
  });

  it('saves a filtered list as a group, which the menu and the fleet page lead to', async () => {
    const page = await dashboard.openAs('/groups');
    await page.getByRole('heading', { name: 'No groups yet' }).waitFor();
    await expectGoodLooks(page, 'groups-empty');
    await page.goto(`${dashboard.service.url}/hosts?tag=web`);
    await listOfHostsSays(page, '2 hosts');
    await page.getByRole('button', { name: 'Save as group' }).click();
    await page.getByText('Hosts with: Tag: web.').waitFor();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Web servers');
    await expectGoodLooks(page, 'groups-save');
    await page.getByRole('button', { name: 'Save group' }).click();
    await page.getByText('The group is saved.').waitFor();
    await page.goto(`${dashboard.service.url}/groups`);
    await page.getByRole('table', { name: 'Groups' }).getByRole('link', { name: 'Web servers' }).waitFor();
    await expectGoodLooks(page, 'groups');
    await expectWholeTable(page, 'Groups', [1440, 1360, 1100, 1024, 390]);
    const groups = page.getByRole('table', { name: 'Groups' });
    const actions = groups.getByRole('button', { name: /^(Change|Delete) the group/ });
    const tops = await actions.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
    const column = (await groups.getByRole('columnheader').allTextContents()).indexOf('Hosts');
    const cells = groups.getByRole('row').filter({ hasText: 'Web servers' }).locator('th, td');
    await cells.nth(column).getByRole('link', { name: '2', exact: true }).click();
    await page.waitForURL(/\/hosts\?approval_status=approved&tag=web/);
    await listOfHostsSays(page, '2 hosts');
    await page.goto(dashboard.service.url);
    await page.getByRole('region', { name: 'By group' }).getByRole('link', { name: 'Web servers' }).click();
    await listOfHostsSays(page, '2 hosts');
  });

  it('retires a host, lists it apart, and takes it back', async () => {
    const page = await dashboard.openAs('/hosts?sort=display_name');
    await listOfHostsSays(page, '3 hosts');
    await page.getByRole('checkbox', { name: 'Select charlie' }).click({ force: true });
    await page.getByRole('button', { name: 'Retire', exact: true }).click();
    await expectGoodLooks(page, 'hosts-retire');
    await page.getByRole('button', { name: 'Retire: 1 host' }).click();
    await page.getByText('1 host retired.').waitFor();
    await listOfHostsSays(page, '2 hosts');
    await page.goto(`${dashboard.service.url}/hosts?retired=true`);
    await listOfHostsSays(page, '1 host');
    await page.getByRole('link', { name: 'charlie' }).click();
    await page.getByText('This host was retired').waitFor();
    await expectGoodLooks(page, 'host-retired');
    const isAtHeading = () =>
      page.waitForFunction(() => document.activeElement?.matches('h1, [role="tabpanel"]'));
    await page.getByRole('button', { name: 'Reinstate' }).press('Enter');
    await page.getByText('The host is reinstated.').waitFor();
    await isAtHeading();
    // Retired from the foot of its settings, it shows at once what is possible now.
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Retire host…' }).click();
    await page.getByRole('button', { name: 'Retire host', exact: true }).click();
    await page.getByText('Until then its history is kept.').waitFor();
    await page.waitForFunction(() => scrollY === 0);
    await page.waitForFunction(() => document.activeElement?.localName === 'h1');
    await page.getByRole('button', { name: 'Reinstate' }).click();
    await page.getByText('To keep its history, retire it.').waitFor();
    const hosts = (await client.get('/hosts')).body as readonly unknown[];
    expect(hosts).toHaveLength(3);
  });

  it('connects the agent of a reinstated host again, as the same host', async () => {
    const { id } = await client.enrol('again-1');
    await client.send('POST', '/hosts/actions', { action: 'retire', hosts: [id] });
    const page = await dashboard.openAs(`/hosts/${id}`);
    await page.getByText('In no list and in no total.').waitFor();
    await page.getByRole('button', { name: 'Reinstate' }).click();
    await page.getByRole('button', { name: 'Make a command for this host' }).click();
    const command = await page.getByRole('region', { name: 'command' }).textContent();
    await expectGoodLooks(page, 'host-connect-agent');
    const { body } = await client.send('POST', '/agent/register', {
      registration_token: /PLIMSOLL_TOKEN='([^']+)'/.exec(command ?? '')?.[1],
      hostname: 'again-1',
      machine_id: 'again-1',
    });
    expect(body).toMatchObject({ host_id: id, approval_status: 'approved' });
    await client.send('DELETE', `/hosts/${id}`);
  });

  it('gives tags by rules after a preview, and offers existing tags while typing', async () => {
    const page = await dashboard.openAs('/settings?tab=tags');
    await page.getByText('No rule is in force.').waitFor();
    await page.getByRole('textbox', { name: 'Tags' }).fill('front, we');
    await page
      .getByRole('list', { name: 'Existing tags' })
      .getByRole('button', { name: /^web 2 hosts/ })
      .click();
    await page.getByRole('textbox', { name: 'Name of the host' }).fill('c*');
    await page.getByRole('button', { name: 'Add the rule' }).click();
    const changes = page.getByRole('list', { name: 'Tags that would change' });
    await changes.getByText('front').waitFor();
    expect(await changes.innerText()).toMatch(/web: 1 host would get it; then 3 hosts in all/);
    await expectGoodLooks(page, 'tag-rules-preview');
    await page.getByRole('button', { name: 'Put these rules in force' }).click();
    await page.getByText('Hosts are getting their tags.').waitFor();
    await expectGoodLooks(page, 'tag-rules');
    const added = { display_name: 'c-new', hostname: 'h.example.org', tags: ['own'] };
    const { body } = await client.send('POST', '/hosts/manual', added);
    expect((body as { tags: string[] }).tags).toEqual(['own', 'front', 'web']);
    await page.goto(`${dashboard.service.url}/hosts/${(body as { id: string }).id}?tab=settings`);
    await page.getByRole('list', { name: 'Tags' }).getByText('by a rule').first().waitFor();
    expect(await page.getByRole('button', { name: /^Remove tag/ }).count()).toBe(1);
    await expectGoodLooks(page, 'host-tags-by-rule');
    await client.send('DELETE', `/hosts/${(body as { id: string }).id}`);
  });

  it('sets the exposure of selected hosts, and saves them', async () => {
    const page = await dashboard.openAs('/hosts?tag=web');
    await listOfHostsSays(page, '2 hosts');
    await page.getByRole('button', { name: 'Select all 2' }).click();
    await page.getByRole('button', { name: 'Set exposure' }).click();
    await expectGoodLooks(page, 'hosts-set-exposure');
    await page.getByRole('button', { name: 'Set exposure: 2 hosts' }).click();
    await page.getByText('2 hosts changed.').waitFor();
    expect((await client.get('/hosts?exposure=public')).body).toHaveLength(2);
    await page.getByRole('button', { name: 'Select all 2' }).click();
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Selected as JSON' }).click();
    expect((await saving).suggestedFilename()).toBe('plimsoll-hosts.json');
  });

  it('adds many hosts from a file: shows faults before anything is added, then one line for all', async () => {
    const page = await dashboard.openAs('/add-hosts?way=many');
    const choose = async (name: string, text: string) => {
      const choosing = page.waitForEvent('filechooser');
      await page.getByRole('button', { name: 'Choose a file' }).click();
      await (await choosing).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    };
    await choose('hosts.csv', 'hostname,port\nweb-1.example.org,22\nnot a name,22\n');
    await page.getByText('1 host cannot be added; see the table.').waitFor();
    await page.getByText('None found so far').waitFor();
    await page.getByRole('button', { name: 'Add 2 hosts' }).click();
    await page.getByText('No host was added.').waitFor();
    await expectGoodLooks(page, 'many-ssh-faults');
    const names = Array.from(
      { length: 30 },
      (_, n) => `Host web-${n + 1}\n  HostName web-${n + 1}.example.org\n  User deploy\n`,
    );
    await choose('config', `${names.join('')}Host web-1\n  ProxyJump bastion\n`);
    await page.getByText('ProxyJump: the ssh-worker connects directly').waitFor();
    await expectGoodLooks(page, 'many-ssh-preview');
    await page.getByRole('button', { name: 'Add 30 hosts' }).click();
    await page.getByText('30 hosts added.').waitFor();
    await page.getByRole('button', { name: 'Copy authorized_keys line' }).waitFor();
    await page.getByRole('button', { name: 'Copy commands for deploy' }).waitFor();
    expect(await page.getByText('plimsoll-pull').count()).toBe(0);
    await page.getByRole('button', { name: 'Pull 30 hosts now' }).click();
    await page.getByRole('table', { name: 'First pulls' }).getByText('Queued').first().waitFor();
    await expectGoodLooks(page, 'many-ssh-pulls');
    const added = (await client.get('/hosts?onboarding_mode=ssh')).body as readonly unknown[];
    expect(added).toHaveLength(30);
  });

  it('retires more than 1,000 hosts at once, and says what is left on them', async () => {
    await insertManyHosts(dashboard.database.db, 1_100);
    await dashboard.database.db.pool.query(
      `UPDATE hosts SET approval_status = 'pending', machine_id_conflict_with = (SELECT id FROM hosts WHERE display_name = 'host-000011')
       WHERE display_name BETWEEN 'host-000000' AND 'host-000009'`,
    );
    const page = await dashboard.openAs('/hosts?q=host-0');
    await listOfHostsSays(page, '1,100 hosts');
    await page.getByRole('button', { name: 'Select all 1,100' }).click();
    // An answer that is missing is not the answer that there is none.
    const conflicts = /\/api\/v1\/hosts\?.*machine_id_conflict=true/;
    await page.route(conflicts, (route) => route.fulfill({ status: 403, json: { code: 'forbidden' } }));
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await page.getByText('such as clones, could not be read').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.unroute(conflicts);
    const held: Route[] = [];
    let isHeld = true;
    await page.route(/machine_id_conflict=true/, async (route) => {
      if (isHeld) held.push(route);
      else await route.continue();
    });
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await waitFor('the question for clones', async () => held.length > 0);
    const approve = page.getByRole('button', { name: 'Approve: 1,100 hosts' });
    expect(await approve.isDisabled()).toBe(true);
    isHeld = false;
    for (const route of held) await route.continue();
    await page.getByText('9 hosts with the machine id of another host:').waitFor();
    await waitFor('the button', () => approve.isEnabled());
    const clones = page.getByRole('list', { name: 'Hosts with the machine id of another host' });
    expect(await clones.getByRole('listitem').last().textContent()).toBe('and 1 more');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('button', { name: 'Retire', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Retire: all 1,100 hosts that match' });
    await dialog.getByText('plimsoll-agent uninstall').waitFor();
    await expectGoodLooks(page, 'hosts-retire-all');
    await dialog.getByRole('button', { name: 'Retire: 1,100 hosts' }).click();
    await page.getByText('1,100 of 1,100 hosts retired.').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.goto(`${dashboard.service.url}/hosts?retired=true`);
    await listOfHostsSays(page, '1,100 hosts');
  });
});
