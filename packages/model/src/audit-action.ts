/** Every action in the audit log, as `noun.verb`; a closed list. */
export const auditActions = [
  'setup.completed',
  'user.logged_in',
  'user.login_failed',
  'user.logged_out',
  'user.password_changed',
  'user.created',
  'user.updated',
  'user.unlocked',
  'user.deleted',
  'invitation.created',
  'invitation.revoked',
  'invitation.accepted',
  'session.ended',
  'session.token_reused',
  'user.identity_linked',
  'user.access_withdrawn',
  'user.access_restored',
  'user.emergency_allowed',
  'user.second_factor_failed',
  'user.recovery_code_used',
  'user.totp_added',
  'user.totp_removed',
  'user.passkey_added',
  'user.passkey_removed',
  'user.recovery_codes_made',
  'user.second_factor_reset',
  'user.reauthenticated',
  'host.created',
  'host.enrolled',
  'host.updated',
  'host.approved',
  'host.deleted',
  'host.retired',
  'host.reinstated',
  'group.created',
  'group.updated',
  'group.deleted',
  'report.uploaded',
  'upload.retried',
  'pull.requested',
  'plan.saved',
  'plan.deleted',
  'ssh.key_created',
  'ssh.key_rotated',
  'ssh.host_key_changed',
  'ssh.host_key_accepted',
  'api_key.created',
  'api_key.ended',
  'registration_token.created',
  'registration_token.revoked',
  'registration_token.rate_limited',
  'channel.created',
  'channel.updated',
  'channel.deleted',
  'channel.tested',
  'channel.confirmation_sent',
  'channel.address_confirmed',
  'delivery.resent',
  'failed_event.retried',
  'bulletin.created',
  'bulletin.updated',
  'bulletin.deleted',
  'bulletin.sent',
  'route.created',
  'route.updated',
  'route.deleted',
  'feed.sync_requested',
  'feed.import_requested',
  'secrets.rotated',
  'access.denied',
  'data.exported',
  'payload.read',
  'keys.read',
  'audit.dropped',
  'host_token.rotated',
  'host_token.reused',
  'due_policy.changed',
  'exposure_rules.changed',
  'origin_rules.changed',
  'tag_rules.changed',
  'tag_rules.applied',
  'evidence.made',
  'evidence_key.created',
  'waiver.created',
  'waiver.updated',
  'waiver.ended',
] as const;

/** One of `auditActions`. */
export type AuditAction = (typeof auditActions)[number];

/** Kinds of actors: a user, an API key, a host's agent, the command line, or a part of the service. */
export const auditActorKinds = ['user', 'api_key', 'host', 'cli', 'system'] as const;

/** One of `auditActorKinds`. */
export type AuditActorKind = (typeof auditActorKinds)[number];

/** Kinds of targets of an action. */
export const auditTargetKinds = [
  'user',
  'invitation',
  'host',
  'group',
  'registration_token',
  'api_key',
  'feed',
  'import',
  'key_pair',
  'policy',
  'plan',
  'channel',
  'route',
  'bulletin',
  'waiver',
  'evidence_key',
] as const;

/** One of `auditTargetKinds`. */
export type AuditTargetKind = (typeof auditTargetKinds)[number];

/** One value in the details of an audit event. */
export type AuditValue = string | number | boolean | null | readonly string[];

/** Further values of an audit event; for a change, the value before and after. Never a secret. */
export type AuditDetails = Readonly<
  Record<string, AuditValue | { readonly from: AuditValue; readonly to: AuditValue }>
>;
