import path from 'node:path';
import { startOidcProvider, type TestOidcProvider } from '@plimsoll/testing';
import { describeDashboard, expectGoodLooks } from './dashboard-under-test.ts';

let provider: TestOidcProvider;

async function withProvider() {
  provider = await startOidcProvider(path.resolve(__dirname, '../../..'));
  const env = {
    PLIMSOLL_OIDC_ISSUER: provider.issuer,
    PLIMSOLL_OIDC_CLIENT_ID: 'plimsoll',
    PLIMSOLL_OIDC_CLIENT_SECRET: 'a secret of the client, with % and +',
    PLIMSOLL_OIDC_SCOPES: 'openid,profile,email,groups',
    PLIMSOLL_OIDC_ACCESS: 'patch-admins=admin',
    PLIMSOLL_OIDC_BUTTON_LABEL: 'Company sign-on',
    PLIMSOLL_OIDC_LOCAL_ACCOUNTS: 'false',
  };
  return { apps: ['api'], env } as const;
}

describeDashboard('signing in with the provider', withProvider, (dashboard) => {
  beforeAll(async () => {
    await dashboard.setUp();
    await provider.setUp({
      redirectUri: `${dashboard.service.url}/api/v1/auth/oidc/callback`,
      postLogoutUri: `${dashboard.service.url}/sign-in`,
    });
  });
  // A process that goes on would keep the test running.
  afterAll(() => provider.stop());

  const ada = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };

  it('leads to the page that was asked for, and keeps the session over a reload', async () => {
    await provider.choose({ ...ada, groups: ['patch-admins'] });
    const page = await dashboard.open('/account');
    const button = page.getByRole('link', { name: 'Company sign-on' });
    await button.waitFor();
    expect(await page.getByLabel('Password').count()).toBe(0);
    await expectGoodLooks(page, 'single-sign-on');
    await button.click();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(page.url()).toBe(`${dashboard.service.url}/account`);
    await page.reload();
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await page.waitForURL(`${provider.issuer}/session/end**`);
  });

  it('offers no password to a user without one, but a new sign-in with the provider as a proof', async () => {
    await provider.choose({ ...ada, groups: ['patch-admins'] });
    const page = await dashboard.open('/account');
    await page.getByRole('link', { name: 'Company sign-on' }).click();
    await page.getByText('You have no password here.').waitFor();
    expect(await page.getByLabel('New password').count()).toBe(0);
    await expectGoodLooks(page, 'account-single-sign-on');
    const setUp = page.getByRole('button', { name: 'Set up an app' });
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await dashboard.database.db.prisma.session.updateMany({
      data: { authenticatedAt: new Date(Date.now() - 11 * 60_000) },
    });
    await setUp.click();
    await proof.getByText('a new sign-in with your provider').waitFor();
    expect(await proof.getByRole('textbox').count()).toBe(0);
    expect(await proof.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
    await expectGoodLooks(page, 'prove-again-single-sign-on');
    const before = await provider.interactions();
    await proof.getByRole('link', { name: 'Company sign-on' }).click();
    await proof.waitFor({ state: 'detached' });
    await page.getByText('You have no password here.').waitFor();
    expect(await provider.interactions()).toBe(before + 1);
    expect(page.url()).toBe(`${dashboard.service.url}/account`);
    await setUp.click();
    await page.getByRole('heading', { name: 'Set up an authenticator app' }).waitFor();
  });

  it('says in plain words why a user is refused, and offers a password in an emergency', async () => {
    await provider.choose({ ...ada, sub: 'eve', groups: [] });
    const page = await dashboard.open('/sign-in');
    await page.getByRole('link', { name: 'Company sign-on' }).click();
    await page.getByText('You have no access to this service: none of your groups has a role.').waitFor();
    await expectGoodLooks(page, 'single-sign-on-refused');
    await page.getByRole('button', { name: 'Emergency sign-in with a password' }).click();
    await page.getByLabel('E-mail').fill('admin@example.org');
    await page.getByLabel('Password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Passwords are switched off here. Use the single sign-on.').waitFor();
  });
});
