import type { VulnerablePackage, Waiver } from '@plimsoll/contract';
import { waitFor } from '@plimsoll/testing';
import type { Page } from 'playwright-core';
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';
import { makeSampleFleet, type SampleFleet } from './sample-fleet.ts';

describeDashboard('waivers', {}, (dashboard) => {
  let fleet: SampleFleet;
  let page: Page;

  const go = (place: string, on = page) => on.goto(`${dashboard.service.url}${place}`);
  const dialog = (on = page) => on.getByRole('dialog', { name: 'Accept or snooze' });
  const choose = async (select: string, option: string) => {
    await dialog().getByRole('button', { name: select }).click();
    await page.getByRole('option', { name: option }).click();
  };
  const waivers = async () => (await fleet.client.get('/waivers?state=active')).body as readonly Waiver[]; // the contract's type
  const waivedRows = async () => {
    const path = `/hosts/${fleet.vulnerable.id}/packages/vulnerable?include_waived=true`;
    const rows = (await fleet.client.get(path)).body as readonly VulnerablePackage[]; // the contract's type
    return rows.filter(({ waiver }) => waiver !== undefined);
  };
  const waivedCount = async () => {
    const { body } = await fleet.client.get(`/hosts/${fleet.vulnerable.id}`);
    return (body as { readonly waived_count: number }).waived_count; // the contract's type
  };

  beforeAll(async () => {
    fleet = await makeSampleFleet(dashboard);
    page = await dashboard.openAs('/waivers');
  });

  it('are created from a finding of a host, which is struck through then with who and until when', async () => {
    await page.getByRole('heading', { name: 'No waiver is in force' }).waitFor();
    await expectGoodLooks(page, 'waivers-empty');
    await go(`/hosts/${fleet.vulnerable.id}?tab=vulnerable`);
    await page
      .getByRole('button', { name: /^Why .* is vulnerable$/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Accept or snooze…' }).first().click();
    await dialog()
      .getByText(/It would cover something of 1 finding on 1 host/)
      .waitFor();
    await choose('Why', 'Mitigated');
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('Closed at the firewall');
    await dialog().getByRole('textbox', { name: 'Ticket' }).fill('https://tickets.example.org/1');
    await expectGoodLooks(page, 'waivers-accept');
    await dialog().getByRole('button', { name: 'Waive as mitigated' }).click();
    await dialog().waitFor({ state: 'hidden' });
    await waitFor('the host to be counted', async () => (await waivedCount()) === 1);
    expect(await waivers()).toMatchObject([{ kind: 'mitigated', hosts: [fleet.vulnerable.id] }]);
    await go(`/hosts/${fleet.vulnerable.id}?tab=vulnerable`);
    await page
      .getByRole('list', { name: 'Findings by kind' })
      .getByRole('link', { name: 'Waived 1' })
      .click();
    const table = page.getByRole('table', { name: 'Vulnerable packages' });
    await table.getByText('Mitigated by admin@example.org until').waitFor();
    const rows = await waivedRows();
    expect(await table.locator('tbody tr').count()).toBe(rows.length);
    expect(await table.locator('tbody tr s').first().isVisible()).toBe(true);
    await expectGoodLooks(page, 'waivers-host');
    await table.getByRole('link', { name: /^Mitigated by/ }).click();
    const hosts = page.getByRole('dialog', { name: 'Waiver' }).getByRole('link', { name: 'web-1' });
    expect(await hosts.getAttribute('href')).toContain(`/hosts/${fleet.vulnerable.id}`);
  });

  it('are created only after it was said on how many hosts they may concern more', async () => {
    const age = (days: number) =>
      dashboard.database.db.pool.query(
        `UPDATE feeds SET updated_at = updated_at - make_interval(days => $1) WHERE id = 'debian-osv'`,
        [days],
      );
    await age(90);
    await go(`/hosts/${fleet.vulnerable.id}?tab=vulnerable`);
    const why = page.getByRole('button', { name: /^Why .* is vulnerable$/ });
    await why.first().click();
    await page.getByRole('button', { name: 'Accept or snooze…' }).first().click();
    await dialog().getByText('Not all findings are known of 1 host: it may concern more there.').waitFor();
    await age(-90);
    await go(`/hosts/${fleet.vulnerable.id}?tab=vulnerable`);
    await why.first().click();
    await page.getByRole('button', { name: 'Accept or snooze…' }).first().click();
    await dialog()
      .getByText(/It would (cover|concern)/)
      .waitFor();
    expect(await dialog().getByText('it may concern more').count()).toBe(0);
  });

  it('are named where it is explained why something is a finding: who, until when, and why', async () => {
    const [finding] = await waivedRows();
    const asked = `package=${finding?.name}&advisory=${finding?.advisories[0]?.id}`;
    await go(`/hosts/${fleet.vulnerable.id}?tab=packages&${asked}`);
    const reason = page.getByRole('dialog', { name: `${finding?.name}: why, or why not?` });
    await reason.getByText('A finding, waived').waitFor();
    await reason.getByRole('link', { name: /^Mitigated by admin@example.org until/ }).waitFor();
    await reason.getByText('Reason: Closed at the firewall').waitFor();
    await expectGoodLooks(page, 'waivers-explained');
  });

  it('are created for many rows of the findings at once, and marked in every list', async () => {
    await go('/findings?group_by=cve');
    const boxes = page.getByRole('table', { name: 'Findings' }).getByRole('checkbox');
    await boxes.nth(0).waitFor();
    for (const n of [0, 1])
      await page.getByRole('table', { name: 'Findings' }).locator('tbody tr label').nth(n).click();
    await page.getByText('2 rows selected').waitFor();
    await page.getByRole('button', { name: 'Accept or snooze…' }).click();
    // Nothing shows whether a part or all of the fleet is meant: the form asks, and is not sent before.
    await dialog().getByText('Choose where it applies to see what it would concern.').waitFor();
    await dialog().getByRole('textbox', { name: 'Reason' }).fill('Accepted until the move');
    await dialog().getByRole('button', { name: 'Accept the risk' }).click();
    await dialog().getByText('Hosts with a tag').click();
    await dialog().getByRole('textbox', { name: 'Tags' }).waitFor();
    await expectGoodLooks(page, 'waivers-where');
    await dialog().getByText('All hosts, also those that come later').click();
    await dialog().getByRole('button', { name: 'Accept the risk' }).click();
    await dialog().waitFor({ state: 'hidden' });
    const [made] = await waivers();
    expect(made).toMatchObject({ kind: 'risk_accepted', all_hosts: true });
    expect(made?.advisories).toHaveLength(2);
    await waitFor('the hosts to be counted', async () => (await waivedCount()) > 1);
    await go(`/cves/${made?.advisories[0]}`);
    await page.getByRole('link', { name: '1 waiver in force' }).waitFor();
    await page.getByText('Risk accepted by admin@example.org until').first().waitFor();
    await expectGoodLooks(page, 'waivers-cve');
    await go('/findings?group_by=cve&only_waived=true');
    await page
      .getByRole('table', { name: 'Findings' })
      .getByRole('link', { name: 'by whom' })
      .first()
      .waitFor();
    await expectGoodLooks(page, 'waivers-findings');
  });

  it('are extended and ended on their page, which keeps the ended ones', async () => {
    await go('/waivers');
    const table = page.getByRole('table', { name: 'Waivers' });
    await table.locator('tbody tr').nth(1).waitFor();
    await expectGoodLooks(page, 'waivers');
    const mitigated = table.getByRole('row', { name: /Mitigated/ });
    await mitigated.getByRole('link', { name: '1 finding', exact: true }).click();
    await page.waitForURL(/\/findings\?.*only_waived=true/);
    const found = page.getByRole('table', { name: 'Findings' });
    await found.getByRole('link', { name: 'web-1' }).waitFor();
    expect(await found.locator('tbody tr').count()).toBe(1);
    await page.goBack();
    await table.getByRole('link').first().click();
    const drawer = page.getByRole('dialog', { name: 'Waiver' });
    await drawer.getByRole('button', { name: 'Extend or change…' }).click();
    await drawer.getByRole('textbox', { name: 'Reason' }).fill('Accepted until the summer');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await drawer.getByText('Accepted until the summer').waitFor();
    await drawer.getByRole('button', { name: /^End the waiver of/ }).click();
    await page.getByRole('button', { name: 'End the waiver', exact: true }).click();
    await drawer.getByText('ended by hand').waitFor();
    await drawer.getByRole('button', { name: 'Close' }).click();
    await waitFor('one row', async () => (await table.locator('tbody tr').count()) === 1);
    await page.getByRole('button', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Ended', exact: true }).click();
    await table.getByText('ended by hand').waitFor();
  });

  it('are created from a VEX document, after a preview that says what is left out and why', async () => {
    await go('/waivers');
    const [finding] = (await fleet.client.get(`/hosts/${fleet.vulnerable.id}/packages/vulnerable`))
      .body as readonly VulnerablePackage[]; // the contract's type
    const products = [`pkg:deb/debian/${finding?.name}`, 'pkg:oci/app'];
    const statements = products.map((product) => ({
      vulnerability: { name: finding?.advisories[0]?.cves[0]?.id },
      products: [{ '@id': product }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_present',
    }));
    const document = {
      '@context': 'https://openvex.dev/ns/v0.2.0',
      '@id': 'https://example.org/1',
      statements,
    };
    await page.getByRole('button', { name: 'Import VEX…' }).click();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose a file' }).click();
    const buffer = Buffer.from(JSON.stringify(document));
    await (await chooser).setFiles({ name: 'app.vex.json', mimeType: 'application/json', buffer });
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('1 of 2 statements would become 1 waiver.').waitFor();
    await page.getByText('names no deb or rpm package of a known release').waitFor();
    await expectGoodLooks(page, 'waivers-import');
    await page.getByRole('button', { name: 'Create 1 waiver' }).click();
    await page.getByText('1 waiver is created.').waitFor();
    expect((await waivers())[0]).toMatchObject({
      origin: 'openvex https://example.org/1',
      purls: [products[0]],
    });
  });

  it('are in a VEX document of all hosts, which names the hosts of a tag only if one is given', async () => {
    const page = await dashboard.openAs('/waivers');
    await page.getByRole('button', { name: 'Export VEX…' }).click();
    await expectGoodLooks(page, 'waivers-export');
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Make and save' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('plimsoll-vex-fleet.openvex.json');
    await page.getByRole('button', { name: 'Export VEX…' }).click();
    await page.getByLabel('Only hosts with this tag').fill('no-such-tag');
    await page.getByRole('button', { name: 'Make and save' }).click();
    await page.getByText('No approved host has this tag.').waitFor();
  });

  it('are shown to viewers without a way to change them', async () => {
    const user = { email: 'viewer@example.org', role: 'viewer', password: 'quite a long password' };
    await fleet.client.send('POST', '/users', user);
    const other = await dashboard.openAs('/waivers', user);
    await other.getByRole('table', { name: 'Waivers' }).getByRole('link').first().waitFor();
    expect(await other.getByRole('button', { name: /^End the waiver/ }).count()).toBe(0);
    await other.goto(`${dashboard.service.url}/hosts/${fleet.vulnerable.id}?tab=vulnerable&waived=true`);
    await other.getByText('Mitigated by admin@example.org until').waitFor();
    expect(await other.getByRole('button', { name: 'Accept or snooze…' }).count()).toBe(0);
  });
});
