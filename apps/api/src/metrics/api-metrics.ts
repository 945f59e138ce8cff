import { methods } from '@plimsoll/contract';
import type { FeedStore, FleetStore } from '@plimsoll/db';
import type { Logger, Metrics } from '@plimsoll/process';
import type { AnsweredRequest } from '../http/exchange.ts';
import { feedGauges } from './feed-metrics.ts';
import { fleetGauges } from './fleet-metrics.ts';
import { registerGauges } from './read-gauge.ts';
import { type ServiceSources, serviceGauges } from './service-metrics.ts';

/** The API's own metrics. */
export interface ApiMetrics {
  countRequest(request: AnsweredRequest): void;
}

const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Registers the API's metrics: requests, and what is read with each scrape. */
export function createApiMetrics(
  options: ServiceSources & {
    readonly metrics: Metrics;
    readonly feeds: Pick<FeedStore, 'list' | 'hostsByRelease'>;
    readonly fleet: Pick<FleetStore, 'summarise'>;
    readonly logger: Logger;
  },
): ApiMetrics {
  const { metrics } = options;
  const durations = metrics.histogram(
    'plimsoll_http_request_duration_seconds',
    'Time from the request to the end of its answer.',
    ['route', 'method', 'status'],
    durationBuckets,
  );
  registerGauges(options, [...fleetGauges(options.fleet), ...feedGauges(options), ...serviceGauges(options)]);
  return {
    countRequest: ({ route, method, status, seconds }) =>
      durations.observe({ route, method: methodLabelOf(method), status: String(status) }, seconds),
  };
}

const methodNames: ReadonlySet<string> = new Set(methods.map((method) => method.toUpperCase()));

/** Only methods of operations have series of their own: anonymous clients can send every other one to every path. */
function methodLabelOf(method: string): string {
  return methodNames.has(method) ? method : 'other';
}
