import type { AuditEvent } from '@plimsoll/contract';

/** What the audit log tells of, in words that follow who did it. */
export const auditActionWords: Readonly<Record<AuditEvent['action'], string>> = {
  'setup.completed': 'set the installation up',
  'user.logged_in': 'signed in',
  'user.login_failed': 'failed to sign in',
  'user.logged_out': 'signed out',
  'user.password_changed': 'changed their password',
  'user.created': 'added a user',
  'user.updated': 'changed a user',
  'user.unlocked': 'unlocked a user',
  'user.deleted': 'deleted a user',
  'host.created': 'added a host',
  'host.enrolled': 'enrolled a host',
  'host.updated': 'changed a host',
  'host.approved': 'approved a host',
  'host.deleted': 'deleted a host',
  'report.uploaded': 'uploaded a report',
  'pull.requested': 'asked for a pull',
  'ssh.key_created': 'made an SSH key',
  'ssh.key_rotated': 'changed an SSH key',
  'ssh.host_key_changed': 'saw another host key',
  'ssh.host_key_accepted': 'accepted a host key',
  'registration_token.created': 'made a registration token',
  'registration_token.revoked': 'revoked a registration token',
  'feed.sync_requested': 'asked for a sync',
  'feed.import_requested': 'imported a file',
  'secrets.rotated': 'changed the sealing keys',
};

/** Who can have done something. */
export const auditActorWords: Readonly<Record<AuditEvent['actor_kind'], string>> = {
  user: 'User',
  host: "A host's agent",
  cli: 'Command line',
  system: 'The service itself',
};

/** What something can have been done to. */
export const auditTargetWords: Readonly<Record<NonNullable<AuditEvent['target_kind']>, string>> = {
  user: 'User',
  host: 'Host',
  registration_token: 'Registration token',
  feed: 'Feed',
  import: 'Import',
  key_pair: 'Key pair',
};

/** What the list can be narrowed down to: kinds of actions, then single ones. */
export const auditActionOptions: readonly (readonly [value: string, words: string])[] = [
  ['', 'Everything'],
  ['user.', 'Users: all'],
  ['host.', 'Hosts: all'],
  ['ssh.', 'SSH keys: all'],
  ['registration_token.', 'Registration tokens: all'],
  ['feed.', 'Feeds: all'],
  ...Object.entries(auditActionWords).map(([action, words]) => [action, words] as const),
];
