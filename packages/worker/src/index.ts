export type { Heartbeat } from './keep-heartbeat.ts';
export { keepHeartbeat } from './keep-heartbeat.ts';
export { productVersion } from './product-version.ts';
export { queueBackendOf } from './queue-backend.ts';
export { createQueueObserver } from './queue-observer.ts';
export type { WorkerEnvironment } from './run-worker.ts';
export { runWorker } from './run-worker.ts';
export { uploadLimitsOf } from './upload-limits.ts';
export { warnOfPower } from './warn-of-power.ts';
