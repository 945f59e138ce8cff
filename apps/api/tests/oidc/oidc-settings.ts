import type { OidcSettings } from '../../src/oidc/oidc-settings.ts';

/** The settings of the client at the providers of tests, with no access for any group. */
export function oidcSettings(issuer: string): OidcSettings {
  return {
    issuer,
    clientId: 'plimsoll',
    clientSecret: 'a secret of the client, with % and +',
    scopes: ['openid', 'profile', 'email', 'groups'],
    groupsClaim: 'groups',
    access: [],
    emailDomains: [],
    linkByEmail: false,
    buttonLabel: 'Company sign-on',
    authority: null,
    localAccounts: true,
  };
}
