export type { HealthServer } from './health-server.ts';
export { serveHealth } from './health-server.ts';
export type { Logger } from './logger.ts';
export { createLogger } from './logger.ts';
export type { Metrics } from './metrics.ts';
export { createMetrics } from './metrics.ts';
export type { RunningApp } from './run-app.ts';
export { runApp } from './run-app.ts';
