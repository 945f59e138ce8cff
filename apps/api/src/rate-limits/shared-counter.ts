import type { Database } from '@plimsoll/db';
import { type IRateLimiterPostgresOptions, RateLimiterPostgres } from 'rate-limiter-flexible';

/** A counter in the table `rate_limits`, which all processes of the API share. The scheduler deletes expired entries. */
export function createSharedCounter(
  { pool }: Pick<Database, 'pool'>,
  limits: Required<Pick<IRateLimiterPostgresOptions, 'keyPrefix' | 'points' | 'duration'>> &
    Pick<IRateLimiterPostgresOptions, 'blockDuration'>,
): RateLimiterPostgres {
  return new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
    ...limits,
  });
}
