export { checkRedis, type RedisCheck } from './check-redis.ts';
export type { Consumer } from './consumer.ts';
export type { Delivery, JobHandler } from './delivery.ts';
export {
  appQueues,
  defineJob,
  type JobName,
  type JobSpec,
  type Jobs,
  jobs,
  maxRecountShares,
  type PayloadOf,
} from './jobs.ts';
export { batchJobs, createLanes, type ItemResult } from './lanes.ts';
export type { Bell, JobQueue, QueueBackend } from './open-queue.ts';
export { openQueue } from './open-queue.ts';
export { migrateQueue } from './postgres-backend.ts';
export { isQueueAway } from './queue-error.ts';
export type { Observe, QueueEvent } from './queue-event.ts';
export { redisUserOf } from './redis-users.ts';
