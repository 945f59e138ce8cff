import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { serviceApps } from '@plimsoll/model';
import {
  type Client,
  createSshdHostKey,
  currentLogin,
  sshdPath,
  startSshd,
  type TestSshd,
} from '@plimsoll/testing';
import type { Page } from 'playwright-core';
import { agentOnThisMachine } from './agent-on-this-machine.ts';
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';

const run = promisify(execFile);
const start = {
  apps: serviceApps,
  env: { PLIMSOLL_SSH_ALLOWED_NETWORKS: '127.0.0.0/8' },
  missing: sshdPath() === null ? ['sshd'] : [],
};

interface HostFacts {
  readonly id: string;
  readonly display_name: string;
  readonly [field: string]: unknown;
}

/** Text of a copy field. */
const copied = async (page: Page, what: string) =>
  (await page.getByRole('region', { name: what, exact: true }).locator('pre').textContent()) ?? '';

describeDashboard('adding hosts', start, (dashboard) => {
  let client: Client;
  let sshd: TestSshd;

  beforeAll(async () => {
    client = await dashboard.setUp();
    sshd = await startSshd();
  });
  afterAll(() => sshd.stop());

  const hosts = async () => (await client.get('/hosts')).body as HostFacts[];
  const hostCalled = async (name: string) => {
    const found = (await hosts()).find(({ display_name }) => display_name === name);
    if (found === undefined) throw new Error(`there is no host ${name}`);
    return found;
  };

  it('takes an agent from its token over its approval to its first report, without a reload', async () => {
    const page = await dashboard.openAs('/add-hosts');
    await page.getByLabel('Name').waitFor();
    await expectGoodLooks(page, 'add-hosts-token');
    await page.getByLabel('Name').fill('the first one');
    await page.getByRole('button', { name: 'Make the token' }).click();
    await page.getByText('Waiting for the host to enrol').waitFor();
    const command = await copied(page, 'command');
    const warning = await page.getByText(/leads to 127\.0\.0\.1/).boundingBox();
    const shown = await page.getByText('PLIMSOLL_TOKEN=').first().boundingBox();
    expect(warning?.y).toBeLessThan(shown?.y ?? 0);
    await run('/bin/sh', ['-n', '-c', command]);
    await expectGoodLooks(page, 'add-hosts-command');
    const token = /PLIMSOLL_TOKEN='(plr_[^']+)'/.exec(command)?.[1] ?? '';

    const agent = await agentOnThisMachine();
    try {
      await agent.run(['enroll', dashboard.service.url], { PLIMSOLL_TOKEN: token });
      const arrived = page.getByRole('list', { name: /^Hosts enrolled/ }).getByRole('listitem');
      await arrived.getByText('Waiting for approval').waitFor();
      await page.getByText('1 of 1').waitFor();
      await arrived.getByText('Waiting for its first report').waitFor();
      await expectGoodLooks(page, 'add-hosts-enrolled');
      await arrived.getByRole('button', { name: /^Approve/ }).click();
      await arrived.getByText('Approved').waitFor();
      await agent.run(['run']);
      await arrived.getByText(/^Result of its first report/).waitFor();
      await expectGoodLooks(page, 'add-hosts-first-report');
      const [host] = await hosts();
      expect(host).toMatchObject({ approval_status: 'approved', status: 'active' });
      expect(await arrived.getByRole('link').first().getAttribute('href')).toBe(`/hosts/${host?.id}`);
    } finally {
      await agent.remove();
    }
  });

  it('shows a token once: another way in between keeps it, a reload does not', async () => {
    const page = await dashboard.openAs('/add-hosts?way=agent');
    await page.getByLabel('Name').fill('shown once');
    await page.getByLabel('For how many hosts').fill('5');
    await page.getByText('Approve hosts automatically').click();
    await page.getByRole('button', { name: 'Make the token' }).click();
    await page.getByText('Waiting for the host to enrol').waitFor();
    const command = await copied(page, 'command');
    const [token] = (await client.get('/registration-tokens')).body as object[];
    expect(token).toMatchObject({ name: 'shown once', max_uses: 5, auto_approve: true });
    await page.getByRole('tab', { name: 'SSH', exact: true }).click();
    await page.getByRole('heading', { name: /Host details/ }).waitFor();
    await page.getByRole('tab', { name: 'Agent' }).click();
    expect(await copied(page, 'command')).toBe(command);
    await page.getByRole('button', { name: 'Create another token' }).click();
    await page.getByLabel('Name').fill('lost');
    await page.getByRole('button', { name: 'Make the token' }).click();
    await page.getByText('Waiting for the host to enrol').waitFor();
    await page.reload();
    await page.getByText('is not known any more').waitFor();
    await page.getByText('Waiting for the host to enrol').waitFor();
    expect(await page.content()).not.toContain('plr_');
  });

  const addOverSsh = async (page: Page, fields: Readonly<Record<string, string>>) => {
    const all = { Hostname: '127.0.0.1', User: currentLogin().user, Port: String(sshd.port), ...fields };
    for (const [label, value] of Object.entries(all)) await page.getByLabel(label).fill(value);
    await page.getByRole('button', { name: 'Add the host' }).click();
  };

  it('takes a host over SSH from the form to its first pull, and says why one failed', async () => {
    const page = await dashboard.openAs('/add-hosts?way=ssh');
    await page.getByLabel('Hostname').waitFor();
    await expectGoodLooks(page, 'add-hosts-ssh-form');
    await addOverSsh(page, { Hostname: 'not a hostname', 'Display name': 'pulled' });
    await page.getByRole('alert').waitFor();
    await addOverSsh(page, {});
    await page.getByRole('button', { name: 'Test the pull' }).click();
    await page.getByText('The login was refused').waitFor();
    await page.getByText('auth_failed').waitFor();
    await expectGoodLooks(page, 'add-hosts-ssh-refused');
    const line = await copied(page, 'authorized_keys line');
    expect(line).toContain('restrict,command=');
    await sshd.setAuthorizedKeys(`${line}\n`);
    // The address names the host, so a reload continues with it.
    await page.reload();
    await page.getByRole('button', { name: 'Test again' }).click();
    await page.getByText(/^The pull succeeded/).waitFor();
    await expectGoodLooks(page, 'add-hosts-ssh-pulled');
    const { id, status } = await hostCalled('pulled');
    expect(status).toBe('active');
    await page.getByRole('link', { name: 'Go to the host' }).click();
    await page.waitForURL(`**/hosts/${id}`);
  });

  it('shows commands that make the account of a host, and none for an account that is somebody’s', async () => {
    const page = await dashboard.openAs('/add-hosts?way=ssh');
    await addOverSsh(page, { 'Display name': 'with commands', User: 'plimsoll-pull' });
    const commands = await copied(page, 'commands');
    await run('/bin/sh', ['-n', '-c', commands]);
    // The file that the shell writes equals the line, byte for byte.
    const written = commands.split('\n').map((text) => text.replace(/^cat >\S+/, 'cat'));
    const begin = written.findIndex((text) => text.startsWith('cat '));
    const { stdout } = await run('/bin/sh', ['-c', written.slice(begin, begin + 3).join('\n')]);
    expect(stdout).toBe(`${await copied(page, 'authorized_keys line')}\n`);
    await page.getByRole('link', { name: 'Add another' }).click();
    await addOverSsh(page, { 'Display name': 'as root', User: 'root' });
    await page.getByRole('heading', { name: 'If the account exists' }).waitFor();
    expect(await page.getByRole('region', { name: 'commands', exact: true }).count()).toBe(0);
  });

  it('offers no login to a host that shows another key than the one given', async () => {
    const { fingerprint } = await createSshdHostKey('ed25519');
    const page = await dashboard.openAs('/add-hosts?way=ssh');
    await addOverSsh(page, { 'Display name': 'another key', 'Fingerprint of the host key': fingerprint });
    await page.getByRole('button', { name: 'Test the pull' }).click();
    await page.getByText('The host key is not the pinned one').waitFor();
    await page.getByRole('link', { name: 'settings of the host' }).waitFor();
  });

  it('says that a host is gone, and leads back to the beginning', async () => {
    const page = await dashboard.openAs('/add-hosts?way=ssh&host=019aa000-0000-7000-8000-000000000000');
    await page.getByText('Host not found').waitFor();
    await expectGoodLooks(page, 'add-hosts-gone');
    await page.getByRole('link', { name: 'Start again' }).click();
    await page.getByLabel('Fingerprint of the host key').waitFor();
  });

  it('tells a viewer who adds hosts, and offers nothing that would be refused', async () => {
    const user = { email: 'viewer@example.org', password: 'correct horse viewer' };
    await client.send('POST', '/users', { ...user, name: '', role: 'viewer' });
    const page = await dashboard.openAs('/add-hosts?way=ssh', user);
    await page.getByText('Only operators and administrators can add hosts.').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await page.getByRole('main').getByRole('tab').count()).toBe(0);
    await expectGoodLooks(page, 'add-hosts-viewer');
  });
});
