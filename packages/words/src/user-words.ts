import type { Session } from '@plimsoll/contract';
import type { UserRole } from '@plimsoll/model';

/** Permissions of each role. */
export const roleWords: Readonly<Record<UserRole, { readonly words: string; readonly meaning: string }>> = {
  viewer: { words: 'Viewer', meaning: 'Can see hosts, findings and feeds, but change nothing.' },
  operator: { words: 'Operator', meaning: 'Can also add, approve, pull and delete hosts, and sync feeds.' },
  admin: {
    words: 'Administrator',
    meaning: 'Can do everything, including users, imports, the audit log and host keys.',
  },
};

/** The roles with their labels, least permissions first. */
export const roleOptions: readonly (readonly [UserRole, string])[] = [
  ['viewer', roleWords.viewer.words],
  ['operator', roleWords.operator.words],
  ['admin', roleWords.admin.words],
];

/** Of a user whom the provider grants nothing any more. */
export const noAccess =
  'At the last sign-in, the provider granted no role. API keys do not work until the user signs in again.';

/** How the user of a session was authenticated. */
export const sessionMethodWords: Readonly<Record<Session['method'], string>> = {
  setup: 'Setup',
  password: 'Password',
  second_factor: 'Second factor',
  passkey: 'Passkey',
  oidc: 'Identity provider',
  invitation: 'Invitation',
};
