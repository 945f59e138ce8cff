export { type CheckedFolder, diskCheck, type FolderSpace, readSpaces } from './checks/disk-check.ts';
export { type Finding, fault, type Looks, ok, runChecks, unknown, warning } from './checks/run-check.ts';
export {
  backupAgeCheck,
  certificateCheck,
  type ServiceCheckSources,
  serviceChecks,
} from './checks/service-checks.ts';
export type { HealthServer } from './health-server.ts';
export { serveHealth } from './health-server.ts';
export { keepHeartbeat } from './keep-heartbeat.ts';
export type { Logger } from './logger.ts';
export { createLogger } from './logger.ts';
export type { Metrics } from './metrics.ts';
export { createMetrics, createProcessMetrics } from './metrics.ts';
export { queueBackendOf } from './queue-backend.ts';
export type { RoundLog } from './round-log.ts';
export { createRoundLog } from './round-log.ts';
export type { RunningApp } from './run-app.ts';
export type { ProcessEnvironment } from './run-process.ts';
export { runProcess } from './run-process.ts';
export { closeConsumers, runWorker } from './run-worker.ts';
export { uploadLimitsOf } from './upload-limits.ts';
