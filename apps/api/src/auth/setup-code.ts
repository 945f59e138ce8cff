import { timingSafeEqual } from 'node:crypto';
import { validationFailed } from '../http/field-errors.ts';
import type { LoginLimiter } from './login-limiter.ts';
import { hashSecret } from './secret-token.ts';

/** The setup code of the settings, the one of the request, and where the request comes from. */
export interface SetupCodeCheck {
  /** The setting `api.setup_code`; null: setup needs no code. */
  readonly wanted: string | null;
  readonly given: string | undefined;
  readonly address: string;
}

/** No e-mail address, so that it shares its counters with no account. */
const account = 'setup code';

/**
 * Throws `validation_failed` for a setup code that is missing or wrong, and `rate_limited` where there were too many: it is
 * guessed as slowly as a password.
 */
export async function requireSetupCode(
  { wanted, given, address }: SetupCodeCheck,
  limiter: LoginLimiter,
): Promise<void> {
  if (wanted === null) return;
  if (given === undefined) throw validationFailed([{ pointer: '/setup_code', detail: 'is required' }]);
  const attempt = await limiter.attempt({ secret: 'login', email: account, address });
  if (!timingSafeEqual(hashSecret(given), hashSecret(wanted))) {
    throw validationFailed([
      { pointer: '/setup_code', detail: 'is not the setup code of this installation' },
    ]);
  }
  await attempt.succeeded();
}
