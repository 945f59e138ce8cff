import type { User, UserStore } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import type { OidcSettings } from '../oidc/oidc-settings.ts';

/** What the rule about local accounts depends on. */
interface LocalAccounts {
  readonly stores: { readonly users: UserStore };
  readonly settings: { readonly oidc: OidcSettings | null };
}

/** Whether users sign in with passwords at all. Without a provider they always do. */
export function hasLocalAccounts({ oidc }: LocalAccounts['settings']): boolean {
  return oidc?.localAccounts ?? true;
}

/**
 * Throws `forbidden` if local accounts are switched off, unless the command line has allowed this user a password for a
 * while. Answers the same for every other account, existing or not.
 */
export async function requireLocalAccounts(
  user: Pick<User, 'id'> | null,
  { stores, settings }: LocalAccounts,
): Promise<void> {
  if (hasLocalAccounts(settings)) return;
  if (user !== null && (await stores.users.isPasswordAllowed(user.id))) return;
  throw new AppError('forbidden', 'Passwords are switched off here. Use the single sign-on.');
}
