/**
 * Why a sign-in with the OpenID Connect provider is refused, as the sign-in page tells it. Says nothing about the inside
 * of the service or the provider; the log has the details.
 */
export const signInRefusals = [
  /** Not started in this browser, too old, or used already. */
  'expired',
  /** The provider did not sign the user in: the user cancelled, or the provider does not allow this client. */
  'denied',
  'provider_unreachable',
  /** An answer of the provider failed a check. */
  'provider_invalid',
  /** No group of the user has a role. */
  'no_access',
  'no_email',
  'email_not_allowed',
  /** Another account has the e-mail address. */
  'email_taken',
  'disabled',
  /** The provider no longer grants the last admin this role. */
  'last_admin',
  /** No admin exists yet, and the provider does not grant this role. */
  'no_admin_yet',
  'busy',
] as const;

/** One of `signInRefusals`. */
export type SignInRefusal = (typeof signInRefusals)[number];
