import { randomBytes } from 'node:crypto';
import { passwordFault } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';

/** bcrypt's work factor: 160 ms on the machine used for this decision. */
export const passwordCost = 12;
/** The size of libuv's thread pool; more would delay compression and name look-ups. */
const running = 4;
const mostWaiting = 64;

/** Hashes and checks passwords with bcrypt, with limited concurrency. */
export interface Passwords {
  /** Hashes a password that `passwordFault` accepts. */
  hash(password: string): Promise<string>;
  /** Whether a password matches a hash. For null (no such account) it takes as long and returns false. */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** Both calls throw `rate_limited` if too many already wait. */
export function createPasswords(cost: number): Passwords {
  const limit = pLimit(running);
  const run = <T>(work: () => Promise<T>): Promise<T> => {
    if (limit.pendingCount >= mostWaiting) {
      throw new AppError('rate_limited', 'Too many sign-ins at the same time.', {
        retryAfterSeconds: 5,
      });
    }
    return limit(work);
  };
  const nobodysHash = bcrypt.hashSync(randomBytes(16).toString('hex'), cost);
  return {
    hash: async (password) => run(() => bcrypt.hash(password, cost)),
    async verify(password, hash) {
      const matches = await run(() => bcrypt.compare(password, hash ?? nobodysHash));
      // bcrypt ignores everything after 72 bytes or a NUL; without this check several passwords would match.
      return matches && hash !== null && passwordFault(password) === null;
    },
  };
}
