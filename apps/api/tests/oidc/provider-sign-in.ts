import path from 'node:path';
import { type ProviderAccount, startOidcProvider, type TestOidcProvider } from '@plimsoll/testing';
import { accessRuleOf } from '../../src/oidc/oidc-settings.ts';
import { type ApiUnderTest, setUp, startApi } from '../api-under-test.ts';
import { type Browser, createBrowser } from './browser.ts';
import { oidcSettings } from './oidc-settings.ts';

/** Which groups of the provider have which access. */
export const access = [
  'patch-admins=admin',
  'web-team=viewer@web',
  'shop-team=viewer@shop',
  '/ops, night=operator',
  'CN=db,OU=teams=operator@db',
].map(accessRuleOf);

/** A viewer of hosts with the tag `web`. */
export const ada: ProviderAccount = {
  sub: 'ada',
  email: 'Ada.Lovelace@example.org',
  email_verified: true,
  name: 'Ada Lovelace',
  groups: ['everyone', 'web-team'],
};
export const adaEmail = 'ada.lovelace@example.org';

/** Starts the provider that the following functions take. */
export function startProvider(): Promise<TestOidcProvider> {
  return startOidcProvider(path.resolve(__dirname, '../../../..'));
}

/** An API with a provider, with its first admin signed in. */
export async function startWithProvider(
  provider: TestOidcProvider,
  settings: Partial<ReturnType<typeof oidcSettings>> = {},
  thinIdTokens = false,
) {
  const api = await startApi({ oidc: { ...oidcSettings(provider.issuer), access, ...settings } });
  await setUpProvider(provider, api, thinIdTokens);
  return { api, admin: await setUp(api) };
}

/** The provider serves one API at a time. */
export async function setUpProvider(
  provider: TestOidcProvider,
  api: ApiUnderTest,
  thinIdTokens = false,
): Promise<void> {
  await provider.setUp({
    redirectUri: `${api.url}/api/v1/auth/oidc/callback`,
    postLogoutUri: `${api.url}/sign-in`,
    thinIdTokens,
  });
}

/** Signs a user in; null: the user cancels. */
export async function signInBy(
  provider: TestOidcProvider,
  api: ApiUnderTest,
  account: ProviderAccount | null,
  { query = '', browser = createBrowser() }: { query?: string; browser?: Browser } = {},
) {
  await provider.choose(account);
  const page = await browser.open(`${api.url}/api/v1/auth/oidc/start${query}`);
  const refused = page.url.pathname === '/sign-in' ? page.url.searchParams.get('refused') : null;
  return { browser, page, refused };
}

/** All users. */
export async function listUsers(api: ApiUnderTest, admin: string) {
  const { body } = await api.get('/api/v1/users?limit=1000', { token: admin });
  return body as readonly {
    id: string;
    email: string;
    role: string;
    provider: string | null;
    access_withdrawn_at: string | null;
  }[];
}

/** The user with an e-mail address. */
export async function accountOf(api: ApiUnderTest, admin: string, email: string) {
  return (await listUsers(api, admin)).find((user) => user.email === email);
}

/** Actions and details of the audit events about a target. */
export async function eventsOf(api: ApiUnderTest, admin: string, target: string | undefined) {
  const { body } = await api.get(`/api/v1/audit-events?target_id=${target}`, { token: admin });
  return body.map(({ action, details }: { action: string; details: object }) => [action, details]);
}
