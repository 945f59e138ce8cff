import type { HostDetail } from '@plimsoll/contract';
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
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';

const start = {
  apps: serviceApps,
  env: { PLIMSOLL_SSH_ALLOWED_NETWORKS: '127.0.0.0/8' },
  missing: sshdPath() === null ? ['sshd'] : [],
};
const operator = { email: 'olga@example.org', password: 'quite a long password' };

describeDashboard('the page of a host that is pulled', start, (dashboard) => {
  let client: Client;
  let sshd: TestSshd;
  let id: string;

  beforeAll(async () => {
    client = await dashboard.setUp();
    sshd = await startSshd();
    const { body } = await client.send('POST', '/hosts/ssh', {
      display_name: 'pulled',
      hostname: '127.0.0.1',
      ssh_user: currentLogin().user,
      port: sshd.port,
    });
    ({ id } = (body as { readonly host: HostDetail }).host); // the contract's type
  });
  afterAll(() => sshd.stop());

  const access = async () => {
    const { ssh } = (await client.get(`/hosts/${id}`)).body as HostDetail; // the contract's type
    if (ssh === null) throw new Error('the host is not pulled');
    return ssh;
  };
  const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
  const pulls = (page: Page) => page.getByRole('table', { name: 'Pulls' }).locator('tbody tr');
  const pullNow = (page: Page) => page.getByRole('button', { name: 'Pull now' }).first().click();

  it('leads from a failed pull to what has to be done, and on to one that works', async () => {
    const page = await dashboard.openAs(`/hosts/${id}?tab=pulls`);
    await page.getByRole('heading', { name: 'Not pulled yet' }).waitFor();
    await pullNow(page);
    await page.getByText('The pull failed: The login was refused.').waitFor();
    await pulls(page).first().getByText('Failed').waitFor();
    await expectGoodLooks(page, 'host-pull-failed');
    await pulls(page).first().getByRole('link', { name: 'Line for authorized_keys' }).click();
    const line = page.getByRole('region', { name: 'line for authorized_keys', exact: true }).locator('pre');
    await sshd.setAuthorizedKeys(`${await line.textContent()}\n`);
    await pullNow(page);
    await page.getByText('The host was pulled.').waitFor();
    await openTab(page, 'Pulls');
    await pulls(page).first().getByText('Succeeded').waitFor();
    expect(await pulls(page).count()).toBe(2);
  });

  it('changes how the host is pulled, and pauses its schedule', async () => {
    const page = await dashboard.openAs(`/hosts/${id}?tab=settings`);
    await page.getByLabel('Minutes between two pulls').fill('90');
    await page.getByRole('button', { name: 'Save pull settings' }).click();
    await page.getByText('The pull settings are saved.').waitFor();
    await page.getByRole('button', { name: 'Pause the schedule' }).click();
    await page.getByText(/^The schedule is paused\. The host/).waitFor();
    await expectGoodLooks(page, 'host-pull-settings');
    expect(await access()).toMatchObject({ frequency_minutes: 90, pull_paused: true });
    await openTab(page, 'Pulls');
    await page.getByText('90 minutes').waitFor();
    await page.getByText('Paused', { exact: true }).waitFor();
  });

  it('shows both keys when the host shows another, and goes on once an administrator accepts it', async () => {
    const { port } = sshd;
    const line = `${(await access()).authorized_keys_line}\n`;
    await sshd.stop();
    const key = await createSshdHostKey('ed25519');
    sshd = await startSshd({ port, hostKeys: [key] });
    await sshd.setAuthorizedKeys(line);
    const page = await dashboard.openAs(`/hosts/${id}?tab=pulls`);
    await pullNow(page);
    await page.getByText('The host key is not the pinned one.', { exact: true }).waitFor();
    await pulls(page).first().getByRole('link', { name: 'Compare the host keys' }).click();
    await page.getByText(key.fingerprint).first().waitFor();
    await expectGoodLooks(page, 'host-other-key');

    await client.send('POST', '/users', { ...operator, name: '', role: 'operator' });
    const operators = await dashboard.openAs(`/hosts/${id}?tab=settings`, operator);
    await operators.getByText('Ask an administrator to compare the keys').waitFor();
    await operators.getByText(key.fingerprint).first().waitFor();
    expect(await operators.getByRole('button', { name: 'Accept the new key…' }).count()).toBe(0);

    await page.getByRole('button', { name: 'Accept the new key…' }).click();
    await page.getByRole('dialog').getByText(key.fingerprint).waitFor();
    await page.getByRole('button', { name: 'Accept the key' }).click();
    await page.getByText(/^The key is accepted/).waitFor();
    await page
      .getByText('The host key is not the pinned one.', { exact: true })
      .waitFor({ state: 'detached' });
    expect((await access()).host_key_fingerprint).toBe(key.fingerprint);
    await pullNow(page);
    await page.getByText('The host was pulled.').waitFor();
  });

  it('gives the host a key of its own, and says that its line has to follow', async () => {
    const before = await access();
    const page = await dashboard.openAs(`/hosts/${id}?tab=settings`);
    await page.getByRole('button', { name: 'New key…', exact: true }).click();
    await page.getByRole('button', { name: 'Create key' }).click();
    await page.getByText(/^A new key was created\./).waitFor();
    const after = await access();
    expect(after.unique_key_pair).toBe(true);
    expect(after.public_key_fingerprint).not.toBe(before.public_key_fingerprint);
    await page.getByText(after.public_key_fingerprint).waitFor();
  });

  it('adds the hosts of a file, and shows their keys to compare and that two are one machine', async () => {
    const other = await startSshd();
    try {
      const page = await dashboard.openAs('/add-hosts?way=many');
      const line = `127.0.0.1,many-1,${currentLogin().user},${other.port}`;
      await page.locator('input[type=file]').setInputFiles({
        name: 'hosts.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`hostname,display_name,ssh_user,port\n${line}\n`),
      });
      await page.getByText('None found', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Add 1 host' }).click();
      await page.getByText('1 host added.').waitFor();
      const [added] = (await client.get('/hosts?q=many-1')).body as readonly HostDetail[]; // the contract's type
      const { ssh } = (await client.get(`/hosts/${added?.id}`)).body as HostDetail; // the contract's type
      await other.setAuthorizedKeys(ssh?.authorized_keys_line ?? '');
      await page.getByRole('button', { name: 'Pull 1 host now' }).click();
      await page.getByText('1 of 1 host pulled, 0 failed').waitFor();
      const row = page.getByRole('row', { name: /many-1/ });
      await row.getByText(other.hostKeys[0]?.fingerprint ?? 'no key').waitFor();
      await row.getByRole('link', { name: 'Another host has the same machine id' }).waitFor();
      await page.getByText('is identified from now on by the key that it showed first').waitFor();
      await expectGoodLooks(page, 'many-pulled');
    } finally {
      await other.stop();
    }
  });
});
