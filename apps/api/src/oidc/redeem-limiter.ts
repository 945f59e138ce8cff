import { attemptKey, type Database } from '@plimsoll/db';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { addressKey } from '../connections/connection.ts';
import { createSharedCounter } from '../rate-limits/shared-counter.ts';
import { SignInRefused } from './sign-in-refused.ts';

/** Limits how often and how many at a time the API asks the provider about answers. */
export interface RedeemLimiter {
  /**
   * Counts an answer from an address as wrong until `work` has succeeded. Throws SignInRefused (`busy`) after too many
   * wrong ones, or while too many are in progress.
   */
  run<T>(address: string, work: () => Promise<T>): Promise<T>;
}

const mostAtOnce = 32;
const wrongPerAddress = 60;
const windowSeconds = 15 * 60;

/** Counts are in the table `rate_limits`: all processes of the API share them. */
export function createRedeemLimiter(database: Database): RedeemLimiter {
  const addresses = createSharedCounter(database, {
    keyPrefix: 'oidc-address',
    points: wrongPerAddress,
    duration: windowSeconds,
  });
  let running = 0;
  return {
    async run(address, work) {
      if (running >= mostAtOnce) throw new SignInRefused('busy', 'too many sign-ins at the same time');
      running += 1;
      try {
        const key = attemptKey(addressKey(address));
        await addresses.consume(key).catch(refuse);
        const result = await work();
        await addresses.reward(key);
        return result;
      } finally {
        running -= 1;
      }
    },
  };
}

function refuse(refusal: unknown): never {
  if (!(refusal instanceof RateLimiterRes)) throw refusal;
  throw new SignInRefused('busy', 'too many wrong answers from this address');
}
