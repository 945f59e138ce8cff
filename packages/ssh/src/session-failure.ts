/** Why a session returned no report: those error codes of a pull job that a session itself can cause. */
export type SessionErrorCode =
  | 'connect_refused'
  | 'connect_timeout'
  | 'host_key_mismatch'
  | 'auth_failed'
  | 'command_failed'
  | 'output_too_large'
  | 'timeout';

/**
 * The end of a session caused by host or network; collect turns it into a result. The message is one sentence for an
 * operator. `mayHeal` means that a later retry makes sense.
 */
export class SessionFailure extends Error {
  override readonly name = 'SessionFailure';
  readonly code: SessionErrorCode;
  readonly mayHeal: boolean;

  constructor(code: SessionErrorCode, message: string, options: { mayHeal?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.mayHeal = options.mayHeal ?? false;
  }
}
