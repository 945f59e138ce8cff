import { findFreePort } from '@plimsoll/embedded';
import { waitFor } from '@plimsoll/testing';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import {
  adminEmail,
  adminPassword,
  describeDashboard,
  expectGoodLooks,
  signIn,
} from './dashboard-under-test.ts';

/** Gives a page a platform authenticator that verifies its user at once: Chromium's own (WebDriver, section 11). */
async function addAuthenticator(page: Page): Promise<void> {
  const chromium = await page.context().newCDPSession(page);
  await chromium.send('WebAuthn.enable');
  await chromium.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

const enterPassword = async (page: Page): Promise<void> => {
  await page.getByLabel('E-mail').fill(adminEmail);
  await page.getByLabel('Password').fill(adminPassword);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};
const signOut = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
};
const fleet = (page: Page) => page.getByRole('heading', { name: 'Fleet', level: 1 });

/** The status of an answer; null: there is none. */
async function statusOf(url: string): Promise<number | null> {
  return fetch(url).then(
    ({ status }) => status,
    () => null,
  );
}

/** The recovery codes on the page, after which their dialog is closed. */
async function saveCodes(page: Page): Promise<readonly string[]> {
  await page.getByRole('heading', { name: 'Save your recovery codes' }).waitFor();
  const codes = (await page.getByRole('region', { name: 'recovery codes' }).innerText()).trim().split(/\s+/);
  await page.getByRole('button', { name: 'I have saved them' }).click();
  return codes;
}

describeDashboard('second factors', { apps: ['api'] }, (dashboard) => {
  /** The service by the name that passkeys belong to. */
  let localhost = '';

  beforeAll(async () => {
    await dashboard.setUp();
    const port = await findFreePort();
    localhost = `http://localhost:${port}`;
    const env = { PLIMSOLL_API_PORT: String(port), PLIMSOLL_API_PUBLIC_URL: localhost };
    dashboard.service.start('api', env);
    await waitFor('the API at localhost', async () => (await statusOf(`${localhost}/healthz`)) === 200);
  });

  const open = async (place: string): Promise<Page> => {
    const page = await dashboard.open('/sign-in');
    await page.goto(`${localhost}${place}`);
    return page;
  };

  /** Makes every sign-in too old for the operations that need a recent one. */
  const forgetProof = () =>
    dashboard.database.db.prisma.session.updateMany({
      data: { authenticatedAt: new Date(Date.now() - 11 * 60_000) },
    });

  it('are set up, used and removed: app, recovery codes and passkey', async () => {
    const page = await open('/account');
    await addAuthenticator(page);
    await signIn(page, { email: adminEmail, password: adminPassword });
    await page.getByRole('button', { name: 'Set up an app' }).click();
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    await expectGoodLooks(page, 'second-factor-app');
    const secret = (await page.getByRole('region', { name: 'key' }).innerText()).trim();
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    await page.getByLabel('Code of the app').fill('000000');
    await page.keyboard.press('Enter');
    await page
      .getByText(/is not what the app shows now/)
      .first()
      .waitFor();
    await page.getByLabel('Code of the app').fill(totp.generate());
    await page.keyboard.press('Enter');
    const codes = await saveCodes(page);
    expect(codes).toHaveLength(10);
    await page.getByText('10 codes are left.').waitFor();

    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByLabel('Name', { exact: true }).fill('this laptop');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Your passkeys' }).getByText('this laptop').waitFor();
    await expectGoodLooks(page, 'second-factor-account');

    await signOut(page);
    await enterPassword(page);
    await page.getByRole('heading', { name: 'Second step' }).waitFor();
    await expectGoodLooks(page, 'second-step');
    await page.getByLabel('Code').fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText(/The second factor is wrong/).waitFor();
    await page.getByLabel('Code').fill(codes[0] ?? '');
    await page.keyboard.press('Enter');
    await fleet(page).waitFor();

    await signOut(page);
    await enterPassword(page);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await fleet(page).waitFor();

    await signOut(page);
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await fleet(page).waitFor();

    await page.goto(`${localhost}/account`);
    await page.getByText('9 codes are left.').waitFor();
    await forgetProof();
    await page.getByRole('button', { name: 'Make new codes' }).click();
    const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
    await proof.getByText('a code of your authenticator app, or a passkey, or a recovery code').waitFor();
    expect(await proof.getByLabel('password').count()).toBe(0);
    await proof.getByRole('textbox').fill(codes[1] ?? '');
    await page.keyboard.press('Enter');
    await saveCodes(page);
    await page.getByText('10 codes are left.').waitFor();
    await page.getByRole('button', { name: 'Remove this laptop' }).click();
    await page.getByRole('button', { name: 'Remove the passkey' }).click();
    await page.getByRole('list', { name: 'Your passkeys' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Remove the app' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the app' }).click();
    await page.getByRole('button', { name: 'Set up an app' }).waitFor();
  });

  it('asks for the password again before users are changed, and then goes on with the action', async () => {
    const page = await open('/settings?tab=users');
    await signIn(page, { email: adminEmail, password: adminPassword });
    await page.getByRole('button', { name: 'Add a user' }).waitFor();
    await forgetProof();
    await page.getByRole('button', { name: 'Add a user' }).click();
    await page.getByLabel('E-mail').fill('bea@example.org');
    await page.getByLabel('Temporary password').fill('a password for Bea, long');
    await page.getByRole('button', { name: 'Add the user' }).click();
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await expectGoodLooks(page, 'prove-again');
    await page.getByLabel('Your password').fill('not the password');
    await page.keyboard.press('Enter');
    await page.getByText('The password is wrong.').waitFor();
    await page.getByLabel('Your password').fill(adminPassword);
    await page.keyboard.press('Enter');
    await page.getByText('bea@example.org can now sign in.').waitFor();
  });
});

const forAdmins = { apps: ['api'], env: { PLIMSOLL_AUTH_SECOND_FACTOR_ROLES: 'admin' } } as const;

describeDashboard('a role that needs a second factor', forAdmins, (dashboard) => {
  beforeAll(() => dashboard.setUp());

  it('is led to the account page until one is set up', async () => {
    const page = await dashboard.open('/hosts');
    await signIn(page, { email: adminEmail, password: adminPassword });
    await page.getByText('Your role needs a second factor.').waitFor();
    await page.getByText(/Passkeys cannot be used here: the setting api\.public_url is not set/).waitFor();
    await page.getByRole('button', { name: 'Set up an app' }).click();
    const secret = (await page.getByRole('region', { name: 'key' }).innerText()).trim();
    await page.getByLabel('Code of the app').fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await page.keyboard.press('Enter');
    await saveCodes(page);
    await page.getByRole('link', { name: 'Hosts', exact: true }).click();
    await page.getByRole('heading', { name: 'Hosts', level: 1 }).waitFor();
  });
});
