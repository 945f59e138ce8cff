import type { AuditEvent } from '@plimsoll/contract';

/** Audit actions as the predicate of a sentence. */
export const auditActionWords: Readonly<Record<AuditEvent['action'], string>> = {
  'setup.completed': 'completed the setup',
  'channel.created': 'added a notification channel',
  'channel.updated': 'changed a notification channel',
  'channel.deleted': 'deleted a notification channel',
  'channel.tested': 'tested a notification channel',
  'route.created': 'added a notification route',
  'route.updated': 'changed a notification route',
  'route.deleted': 'deleted a notification route',
  'user.logged_in': 'signed in',
  'user.login_failed': 'failed to sign in',
  'user.logged_out': 'signed out',
  'user.password_changed': 'changed their password',
  'user.created': 'added a user',
  'user.updated': 'changed a user',
  'user.unlocked': 'unlocked a user',
  'user.deleted': 'deleted a user',
  'invitation.created': 'invited a user',
  'invitation.revoked': 'revoked an invitation',
  'invitation.accepted': 'accepted an invitation',
  'session.ended': 'ended a session',
  'session.token_reused': 'ended a session, because an old refresh token was used again',
  'user.identity_linked': 'linked an account to the single sign-on',
  'user.access_withdrawn': 'lost access, because the single sign-on grants no role',
  'user.access_restored': 'got access again by signing in',
  'user.emergency_allowed': 'allowed a user to sign in with a password',
  'user.second_factor_failed': 'failed at the second factor',
  'user.recovery_code_used': 'used a recovery code',
  'user.totp_added': 'set up an authenticator app',
  'user.totp_removed': 'removed an authenticator app',
  'user.passkey_added': 'added a passkey',
  'user.passkey_removed': 'removed a passkey',
  'user.recovery_codes_made': 'made new recovery codes',
  'user.second_factor_reset': 'reset the second factor of a user',
  'user.reauthenticated': 'confirmed who they are',
  'host.created': 'added a host',
  'host.enrolled': 'enrolled a host',
  'host.updated': 'changed a host',
  'host.approved': 'approved a host',
  'host.deleted': 'deleted a host',
  'host.retired': 'retired a host',
  'host.reinstated': 'reinstated a host',
  'group.created': 'created a group of hosts',
  'group.updated': 'changed a group of hosts',
  'group.deleted': 'deleted a group of hosts',
  'report.uploaded': 'uploaded a report',
  'pull.requested': 'requested a pull',
  'plan.saved': 'saved a plan',
  'plan.deleted': 'deleted a plan',
  'ssh.key_created': 'created an SSH key',
  'ssh.key_rotated': 'rotated an SSH key',
  'ssh.host_key_changed': 'found another host key',
  'ssh.host_key_accepted': 'accepted a host key',
  'api_key.created': 'created an API key',
  'api_key.ended': 'ended an API key',
  'registration_token.created': 'created a registration token',
  'registration_token.revoked': 'revoked a registration token',
  'registration_token.rate_limited': 'refused hosts, because too many enrolled with one registration token',
  'feed.sync_requested': 'requested a sync',
  'feed.import_requested': 'imported a file',
  'secrets.rotated': 'rotated the sealing keys',
  'access.denied': 'was denied',
  'data.exported': 'exported data',
  'payload.read': 'read a raw report',
  'keys.read': 'read the list of keys',
  'audit.dropped': 'dropped old events of the audit log',
  'host_token.rotated': 'took a new host token',
  'host_token.reused': 'used a host token that was replaced before',
  'due_policy.changed': 'changed the policy of due dates',
  'exposure_rules.changed': 'changed the exposure of hosts by tag',
};

/** Kinds of actors of an audit event. */
export const auditActorWords: Readonly<Record<AuditEvent['actor_kind'], string>> = {
  user: 'User',
  api_key: 'API key',
  host: 'Agent',
  cli: 'Command line',
  system: 'Service',
};

/** Kinds of targets of an audit event. */
export const auditTargetWords: Readonly<Record<NonNullable<AuditEvent['target_kind']>, string>> = {
  user: 'User',
  invitation: 'Invitation',
  api_key: 'API key',
  host: 'Host',
  group: 'Group',
  registration_token: 'Registration token',
  feed: 'Feed',
  import: 'Import',
  key_pair: 'Key pair',
  policy: 'Policy',
  plan: 'Plan',
  channel: 'Channel',
  route: 'Route',
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
