import type { Database, IdentityStore, UserStore } from '@plimsoll/db';
import { newId, type User } from '@plimsoll/db';
import { grantedAccess } from './granted-access.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { createPendingSeal, type PendingSignIn, pendingSeconds } from './pending-sign-in.ts';
import { createOidcProvider, newChecks, type ProvidedUser } from './provider.ts';
import { createProviderCookie, type ProviderCookie } from './provider-cookie.ts';
import { createRedeemLimiter } from './redeem-limiter.ts';
import { SignInRefused } from './sign-in-refused.ts';

/** The request of a sign-in. */
interface SignInOrigin {
  readonly address: string;
  readonly requestId: string;
}

/** A sign-in that was sent to the provider. */
export interface BegunSignIn {
  /** The page of the provider. */
  readonly url: URL;
  readonly state: string;
  /** The pending sign-in, for a cookie. */
  readonly sealed: string;
}

/** A sign-in that the provider has answered and that is admitted. */
export interface AdmittedSignIn {
  readonly user: User;
  readonly provided: ProvidedUser;
}

/** Signs users in with an OpenID Connect provider. All calls throw SignInRefused. */
export interface OidcSignIn {
  readonly settings: OidcSettings;
  /** Starts a sign-in; `again`: the provider must authenticate the user anew. */
  begin(wish: { readonly back: string; readonly again: boolean }, redirectUri: string): Promise<BegunSignIn>;
  /** The pending sign-in of a cookie; null if it is not from `begin`, has another state or has expired. */
  open(sealed: string, state: string): PendingSignIn | null;
  /** Exchanges the provider's answer for a user, who gets the role and tags of its groups. Works once for each sign-in. */
  finish(answer: URL, pending: PendingSignIn, from: SignInOrigin): Promise<AdmittedSignIn>;
  readonly cookie: ProviderCookie;
  /** The page that ends the session at the provider; null: the provider has none. */
  signOutUrl(idToken: string | null, returnTo: string): Promise<URL | null>;
}

/** What signing in reads and writes. */
interface SignInServices {
  readonly stores: { readonly identities: IdentityStore; readonly users: UserStore };
  readonly database: Database;
  /** The secret from which the key of the cookies is derived. */
  readonly secret: string;
  clock(): Date;
}

/** Connects to the provider at the first sign-in. */
export function createOidcSignIn(
  settings: OidcSettings,
  { stores, database, secret, clock }: SignInServices,
): OidcSignIn {
  const provider = createOidcProvider(settings, clock);
  const seal = createPendingSeal(secret);
  const limiter = createRedeemLimiter(database);
  return {
    settings,
    async begin({ back, again }, redirectUri) {
      const checks = newChecks();
      const endsAt = clock().getTime() + pendingSeconds * 1000;
      const pending = { id: newId<string>(), ...checks, back, again, endsAt };
      const url = await provider.signInUrl(pending, redirectUri);
      return { url, state: checks.state, sealed: seal.seal(pending) };
    },
    open(sealed, state) {
      const pending = seal.open(sealed, clock());
      return pending !== null && pending.state === state ? pending : null;
    },
    finish: (answer, pending, { address, requestId }) =>
      limiter.run(address, async () => {
        if (!(await stores.identities.spend(pending.id, new Date(pending.endsAt))))
          throw new SignInRefused('expired', 'this sign-in was used before');
        const provided = await provider.redeem(answer, pending);
        const user = await admit(provided, settings, stores, { ipAddress: address || null, requestId });
        return { user, provided };
      }),
    cookie: createProviderCookie(secret),
    signOutUrl: provider.signOutUrl,
  };
}

async function admit(
  provided: ProvidedUser,
  settings: OidcSettings,
  { identities, users }: SignInServices['stores'],
  from: { readonly ipAddress: string | null; readonly requestId: string },
): Promise<User> {
  const { issuer, subject, email, emailVerified, name } = provided;
  const granted = grantedAccess(provided.groups ?? [], settings.access);
  if (granted === null) {
    // A missing claim says nothing about the user.
    if (provided.groups !== null) await identities.withdraw({ issuer, subject }, from);
    const why =
      provided.groups === null ? `no claim ${settings.groupsClaim}` : 'none of its groups has a role';
    throw new SignInRefused('no_access', why, { who: provided });
  }
  if (email === null) throw new SignInRefused('no_email', 'no claim email', { who: provided });
  if (!isAllowed(provided, email, settings)) {
    await identities.withdraw({ issuer, subject }, from);
    const detail = 'the e-mail address is not verified, or not of an allowed domain';
    throw new SignInRefused('email_not_allowed', detail, { who: provided });
  }
  const linksByEmail = settings.linkByEmail && emailVerified;
  const admission = await identities.admit({ issuer, subject, email, name, ...granted, linksByEmail }, from);
  if (admission.kind === 'refused')
    throw new SignInRefused(admission.reason, `the account: ${admission.reason}`, { who: provided });
  const user = await users.findById(admission.userId);
  if (user === null) throw new SignInRefused('disabled', 'the user was deleted meanwhile', { who: provided });
  return user;
}

function isAllowed({ emailVerified }: ProvidedUser, email: string, { emailDomains }: OidcSettings): boolean {
  if (emailDomains.length === 0) return true;
  return emailVerified && emailDomains.includes(email.slice(email.lastIndexOf('@') + 1));
}
