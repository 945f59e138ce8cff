/** Why a private server is not available; the detail says what to do. */
export type EmbeddedErrorCode =
  | 'platform_unsupported'
  | 'binaries_unusable'
  | 'no_unprivileged_user'
  | 'not_owner'
  | 'data_unreachable'
  | 'data_in_use'
  | 'version_mismatch'
  | 'start_failed'
  | 'aborted';

/** A private server cannot be started or stopped. */
export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
  readonly code: EmbeddedErrorCode;

  constructor(code: EmbeddedErrorCode, detail: string, options: { cause?: unknown } = {}) {
    super(detail, options);
    this.code = code;
  }
}
