/** What triggered a pull. */
export const pullTriggers = ['schedule', 'manual'] as const;
export type PullTrigger = (typeof pullTriggers)[number];

/** Progress of a pull; the last three are final. */
export const pullStatuses = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type PullStatus = (typeof pullStatuses)[number];

/** Why a pull failed; the HTTP contract's list. */
export const pullErrorCodes = [
  'dns_failed',
  'address_refused',
  'collector_refused',
  'connect_refused',
  'connect_timeout',
  'host_key_mismatch',
  'auth_failed',
  'command_failed',
  'output_too_large',
  'timeout',
  'report_invalid',
  'internal',
] as const;
export type PullErrorCode = (typeof pullErrorCodes)[number];

/** A host's key as ssh-keygen prints it: `ssh-ed25519`, `SHA256:…`. */
export interface HostKey {
  readonly type: string;
  readonly fingerprint: string;
}
