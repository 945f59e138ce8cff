/** Every stable error code, exactly as in the HTTP contract's table. */
export const errorCodes = [
  'bad_request',
  'invalid_json',
  'invalid_protobuf',
  'unauthenticated',
  'invalid_credentials',
  'invalid_registration_token',
  'forbidden',
  'second_factor_required',
  'reauthentication_required',
  'not_found',
  'no_snapshot',
  'setup_complete',
  'method_not_allowed',
  'conflict',
  'not_an_ssh_host',
  'not_approved',
  'host_retired',
  'payload_too_large',
  'unsupported_media_type',
  'machine_id_mismatch',
  'report_outdated',
  'validation_failed',
  'report_invalid',
  'snapshot_invalid',
  'rate_limited',
  'unavailable',
  'internal',
] as const;

/** One of `errorCodes`. */
export type ErrorCode = (typeof errorCodes)[number];

/** One violation in an input: location (RFC 6901 pointer, or `line 12`) and description. */
export interface FieldError {
  readonly pointer: string;
  readonly detail: string;
}

/** An error that may be shown to a client: a code from a closed list, a sentence, and one entry per violation. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  /** Seconds to wait before a retry, for `rate_limited` and `unavailable`. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: ErrorCode,
    detail: string,
    options: { cause?: unknown; errors?: readonly FieldError[]; retryAfterSeconds?: number } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }
}
