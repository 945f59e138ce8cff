/** What the audit log tells of, as `noun.verb`; a closed list that grows with what can be done. */
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
  'host.created',
  'host.enrolled',
  'host.updated',
  'host.approved',
  'host.deleted',
  'report.uploaded',
  'pull.requested',
  'ssh.key_created',
  'ssh.key_rotated',
  'ssh.host_key_changed',
  'ssh.host_key_accepted',
  'registration_token.created',
  'registration_token.revoked',
  'registration_token.rate_limited',
  'feed.sync_requested',
  'feed.import_requested',
  'secrets.rotated',
] as const;

/** One of `auditActions`. */
export type AuditAction = (typeof auditActions)[number];

/** Who can have done something: a user, a host's agent, whoever ran the command line, or a part of the service. */
export const auditActorKinds = ['user', 'host', 'cli', 'system'] as const;

/** One of `auditActorKinds`. */
export type AuditActorKind = (typeof auditActorKinds)[number];

/** What something can have been done to. */
export const auditTargetKinds = ['user', 'host', 'registration_token', 'feed', 'import', 'key_pair'] as const;

/** One of `auditTargetKinds`. */
export type AuditTargetKind = (typeof auditTargetKinds)[number];

/** One value that an audit event tells of. */
export type AuditValue = string | number | boolean | null | readonly string[];

/** What else there is to say of an audit event: values, and for a change both sides of it. Never a secret. */
export type AuditDetails = Readonly<
  Record<string, AuditValue | { readonly from: AuditValue; readonly to: AuditValue }>
>;
