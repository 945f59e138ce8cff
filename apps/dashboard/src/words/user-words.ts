import type { User } from '@plimsoll/contract';

/** What a role may do. */
export const roleWords: Readonly<Record<User['role'], { readonly words: string; readonly meaning: string }>> =
  {
    viewer: { words: 'Viewer', meaning: 'Sees hosts, findings and feeds, and changes nothing.' },
    operator: { words: 'Operator', meaning: 'Adds, approves, pulls and deletes hosts; syncs feeds.' },
    admin: { words: 'Administrator', meaning: 'Everything: users, imports, the audit log, new host keys.' },
  };

/** The roles with what they are called, the least first. */
export const roleOptions: readonly (readonly [User['role'], string])[] = [
  ['viewer', roleWords.viewer.words],
  ['operator', roleWords.operator.words],
  ['admin', roleWords.admin.words],
];
