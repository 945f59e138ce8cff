import type { AuditEvent } from '@plimsoll/contract';

/** Audit actions as the predicate of a sentence. */
export const auditActionWords: Readonly<Record<AuditEvent['action'], string>> = {
  'setup.completed': 'completed the setup',
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
  'pull.requested': 'requested a pull',
  'ssh.key_created': 'created an SSH key',
  'ssh.key_rotated': 'rotated an SSH key',
  'ssh.host_key_changed': 'found another host key',
  'ssh.host_key_accepted': 'accepted a host key',
  'registration_token.created': 'created a registration token',
  'registration_token.revoked': 'revoked a registration token',
  'registration_token.rate_limited': 'refused hosts, because too many enrolled with one registration token',
  'feed.sync_requested': 'requested a sync',
  'feed.import_requested': 'imported a file',
  'secrets.rotated': 'rotated the sealing keys',
};

/** Kinds of actors of an audit event. */
export const auditActorWords: Readonly<Record<AuditEvent['actor_kind'], string>> = {
  user: 'User',
  host: 'Agent',
  cli: 'Command line',
  system: 'Service',
};

/** Kinds of targets of an audit event. */
export const auditTargetWords: Readonly<Record<NonNullable<AuditEvent['target_kind']>, string>> = {
  user: 'User',
  host: 'Host',
  registration_token: 'Registration token',
  feed: 'Feed',
  import: 'Import',
  key_pair: 'Key pair',
};

/** The target of an event: its name, otherwise its kind with the end of its id. Ids of one day start alike. */
export function targetInWords(
  kind: AuditEvent['target_kind'],
  id: string,
  name: AuditEvent['target_name'],
): string {
  if (name !== null && name !== '') return name;
  return kind === null ? id : `${auditTargetWords[kind]} …${id.slice(-6)}`;
}

/** Filter options: groups of actions, then single actions. */
export const auditActionOptions: readonly (readonly [value: string, words: string])[] = [
  ['', 'All actions'],
  ['user.', 'Users: all'],
  ['host.', 'Hosts: all'],
  ['ssh.', 'SSH keys: all'],
  ['registration_token.', 'Registration tokens: all'],
  ['feed.', 'Feeds: all'],
  ...Object.entries(auditActionWords).map(([action, words]) => [action, words] as const),
];
