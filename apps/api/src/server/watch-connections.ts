import type { Server } from 'node:http';
import { promisify } from 'node:util';
import type { Logger, Metrics } from '@plimsoll/process';
import { createGatheredWarning } from '../metrics/gathered-warning.ts';
import type { DropReason } from './open-connections.ts';

/**
 * Counts closed connections in the metrics and logs them at most once a minute: a flood of connections must not become
 * a flood of log lines. Returns the function to call for each one.
 */
export function countDropped(metrics: Metrics, log: Logger): (reason: DropReason) => void {
  const counter = metrics.counter(
    'plimsoll_api_connections_dropped_total',
    'Connections closed before their clients wanted that, by reason.',
    ['reason'],
  );
  const warn = createGatheredWarning(log, 'connections closed that took too long or were too many');
  return (reason) => {
    counter.inc({ reason });
    warn(reason);
  };
}

/** Registers metrics for the number of a server's connections and its limit. */
export function registerConnections(metrics: Metrics, server: Server, most: number): void {
  const count = promisify(server.getConnections.bind(server));
  metrics.gauge('plimsoll_api_connections', 'Open connections to the API.', [], async (gauge) =>
    gauge.set(await count()),
  );
  metrics
    .gauge('plimsoll_api_connections_limit', 'The most connections that the API keeps open.', [])
    .set(most);
}
