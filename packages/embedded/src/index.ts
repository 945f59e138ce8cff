export type { EmbeddedErrorCode } from './embedded-error.ts';
export { EmbeddedError } from './embedded-error.ts';
export { findFreePort } from './find-free-port.ts';
export type { DataLock, LockResult } from './lock-data-dir.ts';
export { lockDataDir } from './lock-data-dir.ts';
export type { EmbeddedPostgres, PostgresOptions } from './postgres/start-postgres.ts';
export { startPostgres } from './postgres/start-postgres.ts';
export type { EmbeddedRedis, RedisOptions } from './redis/start-redis.ts';
export { startRedis } from './redis/start-redis.ts';
