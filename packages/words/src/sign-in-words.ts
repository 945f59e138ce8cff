import type { SignInRefusal } from '@plimsoll/model';

/** Why a sign-in with the provider failed, and what the user can do. */
const refusalWords: Readonly<Record<SignInRefusal, string>> = {
  expired: 'This sign-in is too old, was used already, or was started in another browser. Start it again.',
  denied: 'The provider did not sign you in.',
  provider_unreachable: 'The provider cannot be reached or does not answer. Try again in a minute.',
  provider_invalid:
    "The provider's answer failed a check, so you are not signed in. An administrator finds the reason in the log.",
  no_access:
    'You have no access to this service: none of your groups has a role. Ask an administrator for access.',
  no_email: 'The provider did not tell your e-mail address, which an account needs. Ask an administrator.',
  email_not_allowed:
    'Your e-mail address may not sign in: it is not verified, or not of an allowed domain. Ask an administrator.',
  email_taken:
    'Another account has your e-mail address already. Ask an administrator to change or delete that account.',
  disabled: 'Your account is disabled. Ask an administrator.',
  last_admin:
    'You are the last administrator, and the provider no longer grants you this role. Make another user an administrator first.',
  no_admin_yet: 'This service has no administrator yet, and your groups do not make you one.',
  busy: 'Too many sign-ins at the same time. Try again in some minutes.',
};

/** The words of a reason in an address; null for other text. */
export function wordsOfRefusal(reason: string | undefined): string | null {
  if (reason === undefined || !Object.hasOwn(refusalWords, reason)) return null;
  return refusalWords[reason as SignInRefusal]; // checked above
}
