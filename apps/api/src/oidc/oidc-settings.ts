import { readFileSync } from 'node:fs';
import type { Config } from '@plimsoll/config';
import { type UserRole, userRoles } from '@plimsoll/model';

/** A role for the users of a group of the provider. */
export interface AccessRule {
  readonly group: string;
  readonly role: UserRole;
  /** The role is for hosts with this tag only; null: for all hosts. */
  readonly tag: string | null;
}

/** The OpenID Connect provider, this client of it, and what its users may do. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** Null: a public client. */
  readonly clientSecret: string | null;
  readonly scopes: readonly string[];
  readonly groupsClaim: string;
  readonly access: readonly AccessRule[];
  /** Domains of e-mail addresses that may sign in, in lower case; empty: any. */
  readonly emailDomains: readonly string[];
  readonly linkByEmail: boolean;
  readonly buttonLabel: string;
  /** A certificate authority in PEM form, in addition to the public ones. */
  readonly authority: string | null;
  /** Whether users can sign in with a password, too. */
  readonly localAccounts: boolean;
}

/** The provider of a configuration; null: none. Reads its files, and throws if it cannot. */
export function oidcSettingsOf(config: Config): OidcSettings | null {
  const issuer = config['oidc.issuer'];
  const clientId = config['oidc.client_id'];
  if (issuer === null || clientId === null) return null;
  const authorityFile = config['oidc.ca_file'];
  return {
    issuer,
    clientId,
    clientSecret: clientSecretOf(config),
    scopes: config['oidc.scopes'],
    groupsClaim: config['oidc.groups_claim'],
    access: config['oidc.access'].map(accessRuleOf),
    emailDomains: config['oidc.email_domains'],
    linkByEmail: config['oidc.link_by_email'],
    buttonLabel: config['oidc.button_label'],
    authority: authorityFile === null ? null : readFileSync(authorityFile, 'utf8'),
    localAccounts: config['oidc.local_accounts'],
  };
}

function clientSecretOf(config: Config): string | null {
  const file = config['oidc.client_secret_file'];
  if (file === null) return config['oidc.client_secret'];
  const [secret = ''] = readFileSync(file, 'utf8').split(/\r?\n/);
  // An empty secret would make this a public client.
  if (secret === '') throw new Error(`The first line of ${file} (oidc.client_secret_file) is empty.`);
  return secret;
}

/** Reads `GROUP=ROLE` or `GROUP=ROLE@TAG`. Throws for other text; the setting refuses it before. */
export function accessRuleOf(text: string): AccessRule {
  const [, group = '', roleText, tag] = /^(.+)=([a-z]+)(?:@([^@=]+))?$/su.exec(text) ?? [];
  const role = userRoles.find((known) => known === roleText);
  if (role === undefined) throw new Error(`${text} gives no role to a group.`);
  return { group, role, tag: tag ?? null };
}
