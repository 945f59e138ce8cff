import type { Exchange } from '../http/exchange.ts';
import type { ApiMetrics } from './api-metrics.ts';

/** Frequent probes without information. */
const quietRoutes: ReadonlySet<string | null> = new Set(['/healthz', '/readyz', '/metrics']);

/** Logs and counts an exchange when it ends. */
export function recordExchange(exchange: Exchange, metrics: ApiMetrics): void {
  const { request, response, log } = exchange;
  response.once('close', () => {
    const { route } = exchange;
    const durationMs = performance.now() - exchange.startedMs;
    const status = response.statusCode;
    metrics.countRequest({
      route: route ?? 'unknown',
      method: request.method,
      status,
      seconds: durationMs / 1000,
    });
    // Paths can contain ids and queries any text, so only the route is logged.
    const line = { method: request.method, route, status, durationMs: Math.round(durationMs) };
    if (!response.writableFinished && !exchange.answered)
      log.info({ ...line, aborted: true }, 'request aborted');
    else if (quietRoutes.has(route)) log.debug(line, 'request done');
    else log.info(line, 'request done');
  });
}
