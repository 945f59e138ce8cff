import {
  accessRules,
  domains,
  filePath,
  flag,
  issuerUrl,
  label,
  plainText,
  scopes,
  secretText,
} from '../setting-type.ts';
import { optional, preset } from './setting.ts';

/** Settings for signing in with an OpenID Connect provider. */
export const oidcSettings = {
  'oidc.issuer': optional(
    issuerUrl(),
    'The issuer of the OpenID Connect provider, exactly as the provider writes it. The API reads the other ' +
      'addresses from `<issuer>/.well-known/openid-configuration`. Unset: users sign in with passwords only. See ' +
      'docs/sign-in-with-openid-connect.md.',
  ),
  'oidc.client_id': optional(plainText(1000), 'The id of this client at the provider.'),
  'oidc.client_secret': optional(
    secretText(8),
    'The secret of this client at the provider. Unset: a public client, protected by PKCE alone.',
    { secret: true },
  ),
  'oidc.client_secret_file': optional(
    filePath(),
    'A file with the secret on its first line, instead of `oidc.client_secret`. The API reads it when it starts.',
  ),
  'oidc.scopes': preset(
    scopes(),
    ['openid', 'profile', 'email'],
    'The scopes that the API asks for. Add the one that contains the groups, if the provider has such a scope: ' +
      '`groups` for instance.',
  ),
  'oidc.groups_claim': preset(
    plainText(200),
    'groups',
    'The claim with the groups or roles of a user: a text or a list of texts. A name with dots that is not itself a ' +
      'claim is a path: `realm_access.roles`.',
  ),
  'oidc.access': preset(
    accessRules(),
    [],
    'Which group gets which role: `GROUP=ROLE`, or `GROUP=ROLE@TAG` for hosts with that tag only; several entries for ' +
      'one group add tags. The highest role counts, with the tags of its entries. A user without a matching group is ' +
      'refused. Evaluated at each sign-in.',
  ),
  'oidc.email_domains': preset(
    domains(),
    [],
    'The domains whose e-mail addresses may sign in: `example.org`. The provider must call the address verified. ' +
      'Unset: any.',
  ),
  'oidc.link_by_email': preset(
    flag(),
    false,
    'Whether a first sign-in takes over an existing account with the same e-mail address, if the provider calls the ' +
      'address verified. Otherwise such a sign-in is refused. Set it only if users cannot choose their address at the ' +
      'provider.',
  ),
  'oidc.button_label': preset(label(), 'Single sign-on', 'The text of the button on the sign-in page.'),
  'oidc.ca_file': optional(
    filePath(),
    "A certificate authority in PEM form for the provider's servers, in addition to the public ones. The API reads it " +
      'when it starts.',
  ),
  'oidc.local_accounts': preset(
    flag(),
    true,
    'Whether users can sign in with a password. If not, `plimsoll user emergency` allows it for one user and one hour. ' +
      'Without `oidc.issuer`, passwords always work.',
  ),
} as const;
