import { methods, quarantineKinds } from '@plimsoll/contract';
import type {
  AdvisoryViews,
  Backlog,
  FeedStore,
  FleetStore,
  InstanceStore,
  QuarantineStore,
  RoundStore,
  UploadStore,
} from '@plimsoll/db';
import type { Logger, Metrics } from '@plimsoll/process';
import type { ApiQueue } from '../context.ts';
import type { AnsweredRequest } from '../http/exchange.ts';
import type { Readiness } from '../readiness/check-readiness.ts';
import { registerFeedMetrics } from './feed-metrics.ts';
import { registerFleetMetrics } from './fleet-metrics.ts';
import { registerRoundMetrics } from './round-metrics.ts';
import { registerServiceMetrics } from './service-metrics.ts';

/** The API's own metrics. */
export interface ApiMetrics {
  countRequest(request: AnsweredRequest): void;
}

const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const queueTimeoutMs = 1_000;

/** Registers the API's metrics: requests, and the backlog, which is read with each scrape. */
export function createApiMetrics(options: {
  readonly metrics: Metrics;
  readonly uploads: UploadStore;
  readonly advisoryViews: Pick<AdvisoryViews, 'countDisagreements'>;
  readonly feeds: Pick<FeedStore, 'list' | 'hostsByRelease'>;
  readonly fleet: Pick<FleetStore, 'summarise'>;
  readonly rounds: Pick<RoundStore, 'list'>;
  readonly quarantine: Pick<QuarantineStore, 'counts'>;
  readonly instances: Pick<InstanceStore, 'list' | 'waitingWork'>;
  readonly readiness: () => Promise<Readiness>;
  readonly queue: ApiQueue;
  readonly logger: Logger;
  readonly clock: () => Date;
}): ApiMetrics {
  const { metrics } = options;
  const durations = metrics.histogram(
    'plimsoll_http_request_duration_seconds',
    'Time from the request to the end of its answer.',
    ['route', 'method', 'status'],
    durationBuckets,
  );
  registerBacklog(options);
  registerQueues(options);
  registerDisagreements(options);
  registerFleetMetrics(options);
  registerFeedMetrics(options);
  registerRoundMetrics(options);
  registerQuarantine(options);
  registerServiceMetrics(options);
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

/**
 * Uploads that have not reached an end state, and since when the oldest waits. No values while the database is
 * unreachable.
 */
function registerBacklog(options: Parameters<typeof createApiMetrics>[0]): void {
  const { metrics, clock } = options;
  const read = createBacklogReader(options);
  const register = (name: string, help: string, measure: (found: Backlog | undefined) => number) =>
    metrics.gauge(name, help, ['state'], async (gauge) => {
      const backlog = await read();
      gauge.reset();
      if (backlog === null) return;
      for (const state of ['received', 'parsed'] as const) {
        gauge.set({ state }, measure(backlog.find((entry) => entry.state === state)));
      }
    });
  register(
    'plimsoll_uploads_pending',
    'Uploads that have not reached an end, by state.',
    (found) => found?.uploads ?? 0,
  );
  register(
    'plimsoll_uploads_pending_oldest_seconds',
    'Age of the oldest upload that has not reached an end, by state.',
    (found) =>
      found === undefined ? 0 : Math.max(0, clock().getTime() - found.oldestReceivedAt.getTime()) / 1000,
  );
}

/** Reads the backlog; concurrent callers share one read. Null while the database is unreachable. */
function createBacklogReader({
  uploads,
  logger,
}: Parameters<typeof createApiMetrics>[0]): () => Promise<readonly Backlog[] | null> {
  let reading: Promise<readonly Backlog[] | null> | null = null;
  const read = async () => {
    try {
      return await uploads.backlog();
    } catch (error) {
      logger.warn({ err: error }, 'uploads not counted');
      return null;
    } finally {
      reading = null;
    }
  };
  return () => {
    reading ??= read();
    return reading;
  };
}

/** What is in quarantine. No values while the database is unreachable. */
function registerQuarantine({ metrics, quarantine, logger }: Parameters<typeof createApiMetrics>[0]): void {
  const help = 'Reports and feed records that could not be read, and messages given up, that are kept.';
  metrics.gauge('plimsoll_quarantined', help, ['kind'], async (gauge) => {
    gauge.reset();
    try {
      const counts = await quarantine.counts();
      for (const kind of quarantineKinds)
        gauge.set({ kind }, counts.find((entry) => entry.kind === kind)?.n ?? 0);
    } catch (error) {
      logger.warn({ err: error }, 'quarantine not counted');
    }
  });
}

/** Jobs of each queue. No values while the queue is unreachable. */
function registerQueues({ metrics, queue, logger }: Parameters<typeof createApiMetrics>[0]): void {
  metrics.gauge('plimsoll_queue_jobs', 'Jobs of each queue, by state.', ['queue', 'state'], async (depth) => {
    depth.reset();
    try {
      for (const [name, counts] of Object.entries(await queue.counts(queueTimeoutMs))) {
        for (const [state, jobs] of Object.entries(counts)) depth.set({ queue: name, state }, jobs);
      }
    } catch (error) {
      logger.debug({ err: error }, 'queue not counted');
    }
  });
}

/** How often package managers and findings disagree in the fleet. No values while the database is unreachable. */
function registerDisagreements({
  metrics,
  advisoryViews,
  logger,
}: Parameters<typeof createApiMetrics>[0]): void {
  const help =
    "Updates on which a host's package manager and its findings do not agree, of all approved hosts.";
  metrics.gauge('plimsoll_disagreements', help, [], async (gauge) => {
    gauge.reset();
    try {
      gauge.set(await advisoryViews.countDisagreements());
    } catch (error) {
      logger.warn({ err: error }, 'disagreements not counted');
      gauge.remove();
    }
  });
}
