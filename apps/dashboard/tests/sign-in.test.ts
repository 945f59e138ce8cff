import { waitFor } from '@plimsoll/testing';
import {
  adminEmail,
  adminPassword,
  describeDashboard,
  endBrowserSessions,
  expectGoodLooks,
  signIn,
} from './dashboard-under-test.ts';

describeDashboard('setting up and signing in', { apps: ['api'] }, (dashboard) => {
  it('leads the first visitor to set-up, whose user is signed in', async () => {
    const page = await dashboard.open();
    await page.getByRole('heading', { name: 'Welcome to Plimsoll' }).waitFor();
    await expectGoodLooks(page, 'setup');
    await page.getByLabel('Name').fill('Ada');
    await page.getByLabel('E-mail').fill(adminEmail);
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.getByLabel('Confirm password').fill('another password');
    await page.getByRole('button', { name: 'Create admin account' }).click();
    await page.getByText('The passwords do not match.').waitFor();
    await page.getByLabel('Confirm password').fill(adminPassword);
    await page.getByRole('button', { name: 'Create admin account' }).click();
    await page.getByRole('heading', { name: 'Fleet', level: 1 }).waitFor();
  });

  it('asks everybody else to sign in, says why it failed, and goes to the page that was asked for', async () => {
    const page = await dashboard.open('/account?x=1');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await expectGoodLooks(page, 'sign-in');
    await page.getByLabel('E-mail').fill(adminEmail);
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await signIn(page, { email: adminEmail, password: adminPassword });
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await expectGoodLooks(page, 'account');
  });

  it('tells a user who failed too often how long to wait', async () => {
    const body = JSON.stringify({ email: 'locked@example.org', password: 'not the password' });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    await waitFor('the account to be locked', async () => {
      const { status } = await fetch(`${dashboard.service.url}/api/v1/auth/login`, init);
      return status === 429;
    });
    const page = await dashboard.open('/sign-in');
    await page.getByLabel('E-mail').fill('locked@example.org');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(/^Too many failed attempts to sign in\. Try again in 1[45] minutes\.$/).waitFor();
  });

  it('goes nowhere else after signing in, whatever the address says', async () => {
    for (const elsewhere of ['//example.org/', 'https://example.org/', '/\\example.org']) {
      const page = await dashboard.open(`/sign-in?back=${encodeURIComponent(elsewhere)}`);
      await signIn(page, { email: adminEmail, password: adminPassword });
      expect(new URL(page.url()).origin).toBe(dashboard.service.url);
    }
  });

  it('brings a user whose session ended back to where they were', async () => {
    const page = await dashboard.open('/account');
    await signIn(page, { email: adminEmail, password: adminPassword });
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await endBrowserSessions(dashboard);
    await page.getByLabel('Current password').fill(adminPassword);
    await page.getByLabel('New password', { exact: true }).fill('a new one, long enough');
    await page.getByLabel('Confirm new password').fill('a new one, long enough');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await signIn(page, { email: adminEmail, password: adminPassword });
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
  });

  it('changes a password and signs out everywhere', async () => {
    const page = await dashboard.open('/account');
    await signIn(page, { email: adminEmail, password: adminPassword });
    const change = async (from: string, to: string) => {
      await page.getByLabel('Current password').fill(from);
      await page.getByLabel('New password', { exact: true }).fill(to);
      await page.getByLabel('Confirm new password').fill(to);
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    };
    await change(adminPassword, 'a new one, long enough');
    await signIn(page, { email: adminEmail, password: 'a new one, long enough' });
    await page.goto(`${dashboard.service.url}/account`);
    await change('a new one, long enough', adminPassword);
    await signIn(page, { email: adminEmail, password: adminPassword });
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(() => localStorage.getItem('plimsoll.session'))).toBeNull();
  });

  it('asks no other host for anything and breaks no rule of its Content-Security-Policy', async () => {
    const page = await dashboard.open('/sign-in');
    const asked = new Set<string>();
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    await page.reload();
    await signIn(page, { email: adminEmail, password: adminPassword });
    await waitFor('something to be asked', async () => asked.size > 0);
    expect([...asked]).toEqual([dashboard.service.url]);
  });
});

const withCode = { apps: ['api'], env: { PLIMSOLL_API_SETUP_CODE: 'the code of the cellar' } } as const;

describeDashboard('setting up with a setup code', withCode, (dashboard) => {
  it('asks for it, says that another one is wrong, and for a common password that it is refused', async () => {
    const page = await dashboard.open();
    const create = page.getByRole('button', { name: 'Create admin account' });
    await page.getByLabel('Setup code').fill('the code of the attic');
    await page.getByLabel('E-mail').fill(adminEmail);
    const fillPasswords = async (password: string) => {
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByLabel('Confirm password').fill(password);
      await create.click();
    };
    await fillPasswords(adminPassword);
    await page
      .getByText(/is not the setup code of this installation/)
      .first()
      .waitFor();
    await page.getByLabel('Setup code').fill('the code of the cellar');
    await fillPasswords('passwordpassword');
    await page
      .getByText(/must not repeat the same few characters/)
      .first()
      .waitFor();
    await fillPasswords(adminPassword);
    await page.getByRole('heading', { name: 'Fleet', level: 1 }).waitFor();
  });
});
