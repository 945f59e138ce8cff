import { timingSafeEqual } from 'node:crypto';
import { validationFailed } from '../http/request-fields.ts';
import { hashSecret } from './authenticate.ts';
import type { LoginLimiter } from './login-limiter.ts';

/** The configured setup code, the code of the request, and the request's address. */
interface SetupCodeCheck {
  /** The setting `api.setup_code`; null if setup needs no code. */
  readonly wanted: string | null;
  readonly given: string | undefined;
  readonly address: string;
}

/** Not an e-mail address, so that its counters are not shared with an account. */
const account = 'setup code';

/**
 * Throws `validation_failed` for a missing or wrong setup code, and `rate_limited` after too many; guessing is limited
 * as for passwords.
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
