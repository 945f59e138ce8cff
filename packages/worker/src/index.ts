export { queueBackendOf } from './queue-backend.ts';
export { createQueueObserver } from './queue-observer.ts';
export type { WorkerEnvironment } from './run-worker.ts';
export { runWorker } from './run-worker.ts';
