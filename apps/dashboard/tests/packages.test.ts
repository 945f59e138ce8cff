import type { Page } from 'playwright-core';
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';
import { makeSampleFleet, type SampleFleet } from './sample-fleet.ts';

describeDashboard('packages', {}, (dashboard) => {
  let fleet: SampleFleet;
  let page: Page;

  const versions = () => page.getByRole('table', { name: 'Versions' });
  const hosts = () => page.getByRole('table', { name: 'Hosts' });
  const rowsOf = async (table: () => ReturnType<Page['getByRole']>) =>
    Promise.all(
      (await table().locator('tbody tr').all()).map(async (row) =>
        (await row.locator('td').allTextContents()).slice(0, 2).map((text) => text.trim()),
      ),
    );

  beforeAll(async () => {
    page = await dashboard.openAs('/packages');
  });

  it('asks on an empty service for a name, and says that no host has it', async () => {
    await page.getByRole('heading', { name: 'Choose a package' }).waitFor();
    await expectGoodLooks(page, 'packages-empty');
    await page.getByRole('combobox', { name: 'Package', exact: true }).fill('curl');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'No approved host has this package' }).waitFor();
    fleet = await makeSampleFleet(dashboard);
  });

  it('suggests names of installed packages while one is typed, by keyboard alone', async () => {
    await page.goto(`${dashboard.service.url}/packages`);
    await page.getByRole('combobox', { name: 'Package', exact: true }).pressSequentially('openssh');
    await page.getByRole('option', { name: /openssh-server/ }).waitFor();
    await page
      .getByRole('option', { name: /openssh-client/ })
      .getByText('on 2 hosts')
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/name=openssh-/);
    await hosts().waitFor();
  });

  it.each(['Enter', 'Escape', 'Tab'])('opens no list of suggestions after %s, however fast', async (key) => {
    await page.goto(`${dashboard.service.url}/packages`);
    const field = page.getByRole('combobox', { name: 'Package', exact: true });
    await field.focus();
    const suggested = page.waitForResponse(/package-names\?q=curl/);
    // Both in one task: the list is asked to open, and is not open yet.
    await field.evaluate((input: HTMLInputElement, pressed) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, 'curl');
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      if (pressed === 'Tab') input.blur();
      else input.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }));
    }, key);
    await suggested;
    await page.getByRole('heading', { name: key === 'Enter' ? 'Versions' : 'Choose a package' }).waitFor();
    // An open list hides the rest of the page from screen readers.
    expect(await page.getByRole('heading', { name: 'Packages', exact: true }).count()).toBe(1);
    expect(await field.getAttribute('aria-expanded')).toBe('false');
  });

  it('names the packages that are built from a source package of the name', async () => {
    await page.goto(`${dashboard.service.url}/packages?name=openssh&version_lt=9`);
    await page.getByRole('heading', { name: 'No approved host has so low a version' }).waitFor();
    await page.getByText('Other packages are built from the source package openssh.').waitFor();
    await page.getByRole('link', { name: 'openssh-client', exact: true }).click();
    await page.waitForURL(/name=openssh-client&version_lt=9/);
  });

  it('lists the versions with as many hosts as stand behind each', async () => {
    await page.goto(`${dashboard.service.url}/packages?name=curl`);
    await hosts().waitFor();
    expect((await rowsOf(versions)).map(([version]) => version).sort()).toEqual([
      '7.88.1-10+deb12u14',
      '7.88.1-10+deb12u15',
      '7.88.1-10+deb12u5',
    ]);
    await page.getByText('3 hosts', { exact: true }).waitFor();
    expect(await hosts().locator('tbody tr').count()).toBe(3);
    await expectGoodLooks(page, 'packages');
    const row = page.getByRole('row', { name: /7\.88\.1-10\+deb12u14/ }).first();
    await row.getByRole('link', { name: '1 host with this version' }).click();
    await page.waitForURL(/version=7\.88/);
    await page.getByText('1 host', { exact: true }).waitFor();
    expect(await rowsOf(hosts)).toEqual([['Office printer', '7.88.1-10+deb12u14']]);
    await expectGoodLooks(page, 'packages-version');
    await page.getByRole('button', { name: /show the hosts of all versions/ }).click();
    await page.getByText('3 hosts', { exact: true }).waitFor();
  });

  it('lists only hosts below a version, compared as their package manager does', async () => {
    await page.getByRole('searchbox', { name: 'Only below version' }).fill('7.88.1-10+deb12u14');
    await page.getByText('1 host', { exact: true }).waitFor();
    expect(await rowsOf(hosts)).toEqual([['web-1', '7.88.1-10+deb12u5']]);
    await page.reload();
    await page.getByText('1 host', { exact: true }).waitFor();
    const plan = page.getByRole('link', { name: 'Plan updates', exact: true });
    expect(await plan.getAttribute('href')).toBe(`/plans?hosts=${fleet.vulnerable.id}`);
    await page.getByRole('searchbox', { name: 'Only below version' }).fill('1.0');
    await page.getByRole('heading', { name: 'No approved host has so low a version' }).waitFor();
    await expectGoodLooks(page, 'packages-none-below');
    await page.getByRole('button', { name: 'Show all versions' }).click();
    await page.getByText('3 hosts', { exact: true }).waitFor();
  });

  it('says why a version that nobody can read is refused', async () => {
    await page.getByRole('searchbox', { name: 'Only below version' }).fill('not a version');
    await page.getByText(/is not a version that dpkg or rpm can read/).waitFor();
  });

  it('leads from a host to the package on it', async () => {
    await page.goto(`${dashboard.service.url}/packages?name=nano`);
    await hosts().getByRole('link', { name: 'web-1' }).click();
    await page.waitForURL(`**/hosts/${fleet.vulnerable.id}?*`);
    expect(new URL(page.url()).searchParams.get('q')).toBe('nano');
  });
});
