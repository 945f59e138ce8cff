import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { serviceApps } from '@plimsoll/model';
import type { Client } from '@plimsoll/testing';
import type { Locator, Page } from 'playwright-core';
import { adminEmail, choose, describeDashboard, expectGoodLooks, signIn } from './dashboard-under-test.ts';
import { sampleKevFeed, sampleOsvFeed } from './sample-feeds.ts';

const operator = { email: 'operator@example.org', password: 'operate the fleet' };
const viewer = { email: 'viewer@example.org', password: 'look at the fleet' };
const hostile = `<img src=x onerror=alert(1)>\u202e${'x'.repeat(150)}`;

/** The table row that contains a text. */
const rowWith = (page: Page, text: string): Locator => page.getByRole('row').filter({ hasText: text });
const tabsOf = (page: Page) => page.getByRole('tab').allTextContents();
const copied = async (page: Page, what: string) =>
  (await page.getByRole('region', { name: what, exact: true }).locator('pre').textContent()) ?? '';

let mirror: string;

async function withMirror() {
  mirror = await mkdtemp(path.join(tmpdir(), 'plimsoll-mirror-'));
  await mkdir(path.join(mirror, 'kev'));
  await writeFile(path.join(mirror, 'kev', 'known_exploited_vulnerabilities.json'), sampleKevFeed());
  return { apps: serviceApps, env: { PLIMSOLL_FEEDS_BASE_URL: `${pathToFileURL(mirror)}/` } };
}

describeDashboard('the settings', withMirror, (dashboard) => {
  let client: Client;

  beforeAll(async () => {
    client = await dashboard.setUp();
    for (const { email, password } of [operator, viewer]) {
      const role = email.split('@')[0];
      expect((await client.send('POST', '/users', { email, password, role })).status).toBe(201);
    }
  });
  afterAll(() => rm(mirror, { recursive: true, force: true }));

  it('show each role the parts that it may see, and no button that would be refused', async () => {
    const asViewer = await dashboard.openAs('/settings', viewer);
    await asViewer.getByRole('tab', { name: 'Feeds', selected: true }).waitFor();
    await asViewer.getByRole('table', { name: 'Feeds' }).waitFor();
    expect(await tabsOf(asViewer)).toEqual(['Feeds', 'API keys', 'Tags', 'Due dates', 'Evidence']);
    expect(await asViewer.getByRole('button', { name: /Sync|Choose a file/ }).count()).toBe(0);
    await expectGoodLooks(asViewer, 'settings-viewer');
    await asViewer.goto(`${dashboard.service.url}/settings?tab=audit`);
    await asViewer.getByText('“Audit log” is only for administrators.').waitFor();
    const asOperator = await dashboard.openAs('/settings', operator);
    await asOperator.getByText('No registration tokens').waitFor();
    expect(await tabsOf(asOperator)).toEqual([
      'Registration tokens',
      'Feeds',
      'API keys',
      'Tags',
      'Due dates',
      'Notifications',
      'Evidence',
      'System',
    ]);
    await asOperator.getByRole('tab', { name: 'Feeds' }).click();
    await asOperator.getByRole('button', { name: 'Sync now: cisa-kev' }).waitFor();
    expect(await asOperator.getByRole('button', { name: 'Choose a file' }).count()).toBe(0);
    expect(await asOperator.getByRole('button', { name: 'Sync now: redhat-updateinfo' }).count()).toBe(0);
  });

  it('make a registration token whose secret is shown once and enrols a host, and revoke another', async () => {
    const page = await dashboard.openAs('/settings?tab=tokens', operator);
    const make = async (name: string) => {
      await page.getByRole('button', { name: 'New token' }).click();
      await page.getByLabel('Name').fill(name);
      await page.getByRole('button', { name: 'Make the token' }).click();
      const token = await copied(page, 'token');
      expect(await copied(page, 'command')).toContain(token);
      return token;
    };
    const token = await make('web servers');
    await expectGoodLooks(page, 'settings-token');
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await rowWith(page, 'web servers').getByText('0 of 1').waitFor();
    expect(await page.getByText(token).count()).toBe(0);
    const enrolled = await client.send('POST', '/agent/register', {
      registration_token: token,
      hostname: 'web-1',
      machine_id: 'a'.repeat(32),
    });
    expect(enrolled.status).toBe(201);
    await page.getByText(/^Show used up, expired and revoked tokens/).click();
    await rowWith(page, 'web servers').getByText('1 of 1').waitFor();
    await rowWith(page, 'web servers').getByText('Used up').waitFor();
    await make(hostile);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await expectGoodLooks(page, 'settings-tokens');
    await rowWith(page, 'onerror')
      .getByRole('button', { name: /^Revoke/ })
      .click();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await rowWith(page, 'onerror').getByText('Revoked').waitFor();
    expect(await page.getByRole('button', { name: /^Revoke/ }).count()).toBe(0);
  });

  it('invite a user by a link, who chooses the password', async () => {
    const page = await dashboard.openAs('/settings?tab=users');
    await page.getByRole('button', { name: 'Invite a user' }).click();
    await page.getByLabel('E-mail').fill('invited@example.org');
    await page.getByLabel('Only hosts with one of these tags').fill('web, shop');
    await page.getByRole('button', { name: 'Create the link' }).click();
    const shown = page.getByText(/accept-invitation#pli_/).first();
    const [link = ''] = /http:\S+#pli_[\w-]{43}/.exec((await shown.textContent()) ?? '') ?? [];
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const open = page.getByRole('table', { name: 'Open invitations' });
    await open.getByText('invited@example.org').waitFor();
    await open.getByText('tagged shop or web').waitFor();
    await expectGoodLooks(page, 'settings-invitations');
    const { pathname, hash } = new URL(link);
    const invited = await dashboard.open(`${pathname}${hash}`);
    await invited.getByRole('heading', { name: 'Accept your invitation' }).waitFor();
    expect(new URL(invited.url()).hash).toBe('');
    await expectGoodLooks(invited, 'accept-invitation');
    await invited.getByLabel('Password', { exact: true }).fill('chosen in private, and long');
    await invited.getByLabel('Confirm password').fill('chosen in private, and long');
    await invited.getByRole('button', { name: 'Create my account' }).click();
    await invited.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
    await page.reload();
    const users = page.getByRole('table', { name: 'Users' });
    await users.getByText('invited@example.org').waitFor();
    await users.getByText('tagged shop or web').waitFor();
    expect(await page.getByText('Open invitations').count()).toBe(0);
  });

  it('add a user, change the role, disable, set a password, enable and delete', async () => {
    const someone = { email: 'grace@example.org', password: 'a password of hers' };
    const page = await dashboard.openAs('/settings?tab=users');
    await rowWith(page, adminEmail).getByText('You').waitFor();
    await page.getByRole('button', { name: 'Add a user' }).click();
    await page.getByLabel('E-mail').fill(viewer.email);
    await page.getByLabel('Temporary password').fill(someone.password);
    await page.getByRole('button', { name: 'Add the user' }).click();
    await page.getByText('A user with this e-mail address already exists.').first().waitFor();
    await page.getByLabel('E-mail').fill(someone.email);
    await page.getByLabel('Name').fill('Grace');
    await page.getByRole('button', { name: 'Add the user' }).click();
    await rowWith(page, someone.email).getByText('Viewer').waitFor();
    await expectGoodLooks(page, 'settings-users');
    const theirs = await dashboard.openAs('/settings', someone);
    expect(await tabsOf(theirs)).toEqual(['Feeds', 'API keys', 'Tags', 'Due dates', 'Evidence']);

    await page.getByRole('button', { name: someone.email }).click();
    await choose(page, 'Role', 'Operator');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The user is saved.').waitFor();
    await expectGoodLooks(page, 'settings-user');
    await theirs.getByText('Your session has ended.').waitFor();
    await signIn(theirs, someone);
    await theirs.getByRole('tab', { name: 'Registration tokens' }).waitFor();

    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Disable user' }).click();
    await page.getByText('Disabled: cannot sign in').waitFor();
    await theirs.getByText('Your session has ended.').waitFor();
    await page.getByLabel('New password').fill('another one for her');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('The password is set.').first().waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    await signIn(theirs, { ...someone, password: 'another one for her' });

    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete user' }).click();
    await rowWith(page, someone.email).waitFor({ state: 'detached' });
    await page.waitForURL((url) => !url.searchParams.has('user'));
  });

  it('say why the last administrator stays one', async () => {
    const page = await dashboard.openAs('/settings?tab=users');
    await page.getByRole('button', { name: adminEmail }).click();
    await page.getByText('This is your account.').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByText('This is the last admin. Make another user an admin first.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await choose(page, 'Role', 'Viewer');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This is the last admin. Make another user an admin first.').waitFor();
  });

  it('sync a feed and show what came of it', async () => {
    const page = await dashboard.openAs('/settings?tab=feeds', operator);
    await page.getByRole('button', { name: 'Sync now: cisa-kev' }).click();
    await page.getByText('cisa-kev is synced.').waitFor();
    await rowWith(page, 'cisa-kev').getByText('Up to date').waitFor();
    await page.getByRole('button', { name: 'Sync now: epss' }).click();
    await rowWith(page, 'epss').getByText('Sync failed', { exact: true }).waitFor();
    const feeds = (await client.get('/feeds')).body as readonly { id: string; last_error: string | null }[];
    const error = feeds.find(({ id }) => id === 'epss')?.last_error ?? 'none';
    await rowWith(page, 'epss').getByText(error).waitFor();
    await rowWith(page, 'epss').getByText('What to do').click();
    await rowWith(page, 'epss').getByText('feeds.base_url').first().waitFor();
    await expectGoodLooks(page, 'settings-feeds');
  });

  it('show how far a sync is, that one was interrupted, and the age of each release of a feed', async () => {
    const { pool } = dashboard.database.db;
    await pool.query(
      `INSERT INTO feed_syncs (feed_id, stage, files_done, files_total, bytes, bytes_expected)
       VALUES ('debian-osv', 'downloading', 3, 12, 10485760, 20971520)`,
    );
    await pool.query(
      `INSERT INTO feed_releases (feed_id, release, updated_at, last_error, last_error_cause)
       VALUES ('almalinux-errata', 'almalinux:9', now() - interval '2 days', NULL, NULL),
              ('almalinux-errata', 'almalinux:10', NULL, 'It was not there.', 'not_found')`,
    );
    const page = await dashboard.openAs('/settings?tab=feeds', operator);
    await rowWith(page, 'debian-osv').getByText('Downloading: 3 of 12 files, 10 MiB of 20 MiB').waitFor();
    const releases = rowWith(page, 'almalinux-errata');
    await releases.getByText('Age of each release (1 of 2 not synced by the last sync)').click();
    await releases.getByText('never synced, not synced by the last sync').waitFor();
    await expectGoodLooks(page, 'settings-feeds-syncing');
    await pool.query(`UPDATE feed_syncs SET heartbeat_at = now() - interval '2 minutes'`);
    await rowWith(page, 'debian-osv').getByText('Sync interrupted (downloading)').waitFor();
    await pool.query('DELETE FROM feed_syncs');
    await rowWith(page, 'debian-osv').getByText('Sync interrupted').waitFor({ state: 'detached' });
    await pool.query('DELETE FROM feed_releases');
  });

  it('import a file, follow it to its end, and name the records that were wrong', async () => {
    const page = await dashboard.openAs('/settings?tab=feeds');
    await page.setInputFiles('input[type=file]', {
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('nothing of the kind'),
    });
    await page.getByRole('alert').getByText('is not recognised').waitFor();
    const broken = Buffer.from(`${JSON.stringify({ id: `DEBIAN-CVE-1-${hostile}`, affected: 'none' })}\n`);
    await page.setInputFiles('input[type=file]', {
      name: 'debian.jsonl',
      mimeType: 'application/octet-stream',
      buffer: Buffer.concat([sampleOsvFeed(), broken]),
    });
    const outcome = page.getByRole('region', { name: 'The import' });
    await outcome.getByText('Done').waitFor();
    await outcome.getByRole('list', { name: 'Rejected records' }).waitFor();
    await expectGoodLooks(page, 'settings-import');
    const { records } = (
      (await client.get('/feeds')).body as readonly { id: string; records: number }[]
    ).find(({ id }) => id === 'debian-osv') ?? { records: 0 };
    expect(records).toBeGreaterThan(1);
    const link = rowWith(page, 'debian-osv').getByRole('link', { name: String(records) });
    expect(await link.getAttribute('href')).toContain('feed=debian-osv');
    const listed = await client.get('/advisories?feed=debian-osv&limit=1');
    expect(listed.headers.get('x-total-count')).toBe(String(records));
    await page.reload();
    await outcome.getByText('Done').waitFor();
  });

  it('state whose packages an archive has, with what the rule is about before it is in force', async () => {
    const page = await dashboard.openAs('/settings?tab=feeds');
    const panel = page.getByRole('region', { name: 'Mirrors of distributions' });
    await panel.getByLabel('Origin').fill('internal aptly');
    await panel.getByRole('button', { name: 'Add the rule' }).click();
    await panel.getByText('– 0 hosts, 0 packages').waitFor();
    expect((await client.get('/policies/origins')).body).toEqual([]);
    await panel.getByRole('button', { name: 'Put these rules in force' }).click();
    await page.getByText('The rules are in force. Hosts follow within minutes.').waitFor();
    expect((await client.get('/policies/origins')).body).toEqual([
      { origin: 'internal aptly', mirrors: 'debian' },
    ]);
    await expectGoodLooks(page, 'settings-mirrors');
  });

  it('show in the audit log who did what, narrowed down in the address', async () => {
    const { body } = await client.send('POST', '/users', {
      ...operator,
      email: 'ada@example.org',
      role: 'viewer',
    });
    const { id } = body as { readonly id: string }; // the contract's type
    expect((await client.send('PATCH', `/users/${id}`, { role: 'operator' })).status).toBe(200);
    const asOperator = await dashboard.openAs('/settings', operator);
    await asOperator.close();
    const page = await dashboard.openAs('/settings?tab=audit');
    await page.getByRole('heading', { name: /^\d+ events$/ }).waitFor();
    await expectGoodLooks(page, 'settings-audit');
    await choose(page, 'What', 'changed a user');
    const changes = await client.get('/audit-events?limit=1&action=user.updated');
    const changed = changes.headers.get('x-total-count');
    await page.getByRole('heading', { name: changed === '1' ? '1 event' : `${changed} events` }).waitFor();
    await page.getByRole('table').getByRole('button', { name: 'changed a user' }).first().click();
    const drawer = page.getByRole('dialog');
    await drawer.getByText('viewer', { exact: true }).waitFor();
    await drawer.getByText('operator', { exact: true }).waitFor();
    await expectGoodLooks(page, 'settings-audit-event');
    await page.keyboard.press('Escape');
    await choose(page, 'What', 'All actions');
    await page.getByRole('textbox', { name: 'Who' }).fill(operator.email);
    await page.getByRole('textbox', { name: 'Who' }).press('Enter');
    const of = await client.get(`/audit-events?limit=1&actor=${operator.email}`);
    const total = of.headers.get('x-total-count');
    await page.getByRole('heading', { name: `${total} events` }).waitFor();
    expect(new URL(page.url()).searchParams.get('actor')).toBe(operator.email);
    await page.getByLabel('To', { exact: true }).fill('2001-02-03');
    await page.getByText('No matching events').waitFor();
    await page.reload();
    await page.getByText('No matching events').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('row').nth(1).waitFor();
  });

  it('show the key that signs evidence packs, replace it, and keep the earlier one for old packs', async () => {
    const page = await dashboard.openAs('/settings?tab=evidence');
    await page.getByText('No signing key yet').waitFor();
    await expectGoodLooks(page, 'settings-evidence-empty');
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByRole('button', { name: 'Make it' }).click();
    const first = await copied(page, 'fingerprint');
    expect(first).toMatch(/^SHA256:/);
    expect(await copied(page, 'command')).toContain(`--key ${first}`);
    await page.getByRole('button', { name: 'Replace the key' }).click();
    await page.getByRole('button', { name: 'Replace it' }).click();
    await page.getByRole('list', { name: 'Earlier keys' }).getByText(first).waitFor();
    expect(await copied(page, 'fingerprint')).not.toBe(first);
    await expectGoodLooks(page, 'settings-evidence');
    const asViewer = await dashboard.openAs('/settings?tab=evidence', viewer);
    await asViewer.getByRole('region', { name: 'fingerprint', exact: true }).waitFor();
    expect(await asViewer.getByRole('button', { name: /key$/ }).count()).toBe(0);
  });

  it('show the parts of the system, and which of them is gone', async () => {
    const page = await dashboard.openAs('/settings?tab=system', operator);
    const processes = page.getByRole('table', { name: 'Processes' });
    await processes.waitFor();
    expect(await processes.getByText('Running').count()).toBe(6);
    const rounds = page.getByRole('table', { name: 'Rounds' });
    const roundWith = (name: string) => rounds.getByRole('row').filter({ hasText: name });
    await roundWith('drop old uploads').getByText('Works').waitFor();
    expect(await roundWith('drop old uploads').getByText('Never').count()).toBe(0);
    await expectGoodLooks(page, 'settings-system');
    for (const process of dashboard.service.processes('ssh-worker')) process.kill('SIGTERM');
    await page.getByText('Hosts are not pulled over SSH.').waitFor();
  });
});
