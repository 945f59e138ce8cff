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

/** Kinds of actors: a user, a host's agent, the command line, or a part of the service. */
export const auditActorKinds = ['user', 'host', 'cli', 'system'] as const;

/** One of `auditActorKinds`. */
export type AuditActorKind = (typeof auditActorKinds)[number];

/** Kinds of targets of an action. */
export const auditTargetKinds = ['user', 'host', 'registration_token', 'feed', 'import', 'key_pair'] as const;

/** One of `auditTargetKinds`. */
export type AuditTargetKind = (typeof auditTargetKinds)[number];

/** One value in the details of an audit event. */
export type AuditValue = string | number | boolean | null | readonly string[];

/** Further values of an audit event; for a change, the value before and after. Never a secret. */
export type AuditDetails = Readonly<
  Record<string, AuditValue | { readonly from: AuditValue; readonly to: AuditValue }>
>;
