import { randomBytes } from 'node:crypto';
import { passwordFault } from '@plimsoll/contract';
import { AppError } from '@plimsoll/model';
import bcrypt from 'bcrypt';
import pLimit from 'p-limit';

/** bcrypt's work factor: 160 ms on the machine this was decided on. */
export const passwordCost = 12;
/** As many as libuv has threads; more would keep compression and look-ups waiting. */
const running = 4;
const mostWaiting = 64;

/** Hashes and checks passwords with bcrypt, a few at a time. */
export interface Passwords {
  /** Takes passwords that `passwordFault` finds nothing wrong with. */
  hash(password: string): Promise<string>;
  /** Whether a password is the one of a hash. Takes as long with no hash (nobody of that name), and says no. */
  verify(password: string, hash: string | null): Promise<boolean>;
}

/** Both calls throw `rate_limited` when too many wait already. */
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
      // bcrypt stops reading at 72 bytes and at NUL: without this, more passwords than one would match.
      return matches && hash !== null && passwordFault(password) === null;
    },
  };
}
