import { quarantineKinds } from '@plimsoll/contract';
import {
  type AdvisoryViews,
  type Backlog,
  cachedValue,
  type InstanceStore,
  isAlive,
  type QuarantineStore,
  type RoundStore,
  type UploadStore,
} from '@plimsoll/db';
import { type RoundRuns, roundState, serviceApps } from '@plimsoll/model';
import type { ApiQueue } from '../context.ts';
import type { Readiness } from '../readiness/check-readiness.ts';
import type { ReadGauge } from './read-gauge.ts';

const queueTimeoutMs = 1_000;

/** What the metrics of the service are read from. */
export interface ServiceSources {
  readonly uploads: Pick<UploadStore, 'backlog'>;
  readonly advisoryViews: Pick<AdvisoryViews, 'countDisagreements'>;
  readonly rounds: Pick<RoundStore, 'list'>;
  readonly quarantine: Pick<QuarantineStore, 'counts'>;
  readonly instances: Pick<InstanceStore, 'list' | 'waitingWork'>;
  readonly readiness: () => Promise<Readiness>;
  readonly queue: ApiQueue;
  readonly clock: () => Date;
}

/** The metrics of what the API sees of the rest of the service. */
export function serviceGauges(sources: ServiceSources): readonly ReadGauge[] {
  const { advisoryViews, quarantine, instances, readiness, queue, clock } = sources;
  return [
    ...backlogGauges(sources),
    ...roundGauges(sources),
    {
      name: 'plimsoll_quarantined',
      help: 'Reports and feed records that could not be read, and messages given up, that are kept.',
      labels: ['kind'],
      async read() {
        const counts = await quarantine.counts();
        return quarantineKinds.map((kind) => [kind, counts.find((entry) => entry.kind === kind)?.n ?? 0]);
      },
    },
    {
      name: 'plimsoll_disagreements',
      help: "Updates on which a host's package manager and its findings do not agree, of all approved hosts.",
      labels: [],
      read: async () => [[await advisoryViews.countDisagreements()]],
    },
    {
      name: 'plimsoll_unready',
      help: '1 if readiness reports a part as not ready.',
      labels: ['part'],
      async read() {
        const found = await readiness();
        if (found.kind === 'ready')
          return Object.entries({ database: 0, migrations: 0, queue: Number(found.queue === 'down') });
        // What comes after the first fault was not looked at.
        return found.missing.pointer === '/database'
          ? [['database', 1]]
          : Object.entries({ database: 0, migrations: 1 });
      },
    },
    {
      name: 'plimsoll_processes',
      help: 'Processes of each app that run, by their heartbeats.',
      labels: ['app'],
      async read() {
        const alive = (await instances.list()).filter((instance) => isAlive(instance, clock()));
        return serviceApps.map((name) => [name, alive.filter(({ app }) => app === name).length]);
      },
    },
    {
      name: 'plimsoll_work_oldest_seconds',
      help: 'Age of the oldest work that is not finished, besides uploads.',
      labels: ['work'],
      read: async () =>
        (await instances.waitingWork())
          .filter(({ work }) => work === 'pull' || work === 'import')
          .map(({ work, oldestAt }) => [work, secondsSince(oldestAt ?? clock(), clock())]),
    },
    {
      name: 'plimsoll_queue_jobs',
      help: 'Jobs of each queue, by state.',
      labels: ['queue', 'state'],
      read: async () =>
        Object.entries(await queue.counts(queueTimeoutMs)).flatMap(([name, counts]) =>
          Object.entries(counts).map(([state, jobs]) => [name, state, jobs] as const),
        ),
    },
    ...(['used', 'limit'] as const).map((kind) => ({
      name: `plimsoll_redis_memory_${kind}_bytes`,
      help: `Memory of Redis: ${kind}; no limit is 0.`,
      labels: [],
      async read() {
        const memory = await queue.memory(queueTimeoutMs);
        return memory === null ? [] : [[memory[kind]] as const];
      },
    })),
  ];
}

/** Uploads that have not reached an end state, and since when the oldest waits. */
function backlogGauges({ uploads, clock }: ServiceSources): readonly ReadGauge[] {
  const backlog = cachedValue(() => uploads.backlog(), { freshMs: () => 0 });
  const gauge = (name: string, help: string, measure: (found: Backlog) => number): ReadGauge => ({
    name,
    help,
    labels: ['state'],
    async read() {
      const found = await backlog.get();
      return (['received', 'parsed'] as const).map((state) => {
        const entry = found.find((each) => each.state === state);
        return [state, entry === undefined ? 0 : measure(entry)];
      });
    },
  });
  return [
    gauge(
      'plimsoll_uploads_pending',
      'Uploads that have not reached an end, by state.',
      (found) => found.uploads,
    ),
    gauge(
      'plimsoll_uploads_pending_oldest_seconds',
      'Age of the oldest upload that has not reached an end, by state.',
      ({ oldestReceivedAt }) => secondsSince(oldestReceivedAt, clock()),
    ),
  ];
}

/** What the service repeats. */
function roundGauges({ rounds, clock }: ServiceSources): readonly ReadGauge[] {
  const gauge = (name: string, help: string, measure: (round: RoundRuns) => number): ReadGauge => ({
    name,
    help,
    labels: ['round'],
    read: async () => (await rounds.list()).map((round) => [round.name, measure(round)]),
  });
  return [
    gauge(
      'plimsoll_round_last_success_age_seconds',
      'Time since a round last succeeded, to the minute. +Inf: it never did.',
      ({ lastOkAt }) => (lastOkAt === null ? Number.POSITIVE_INFINITY : secondsSince(lastOkAt, clock())),
    ),
    gauge('plimsoll_round_late', '1 if the last success of a round is too long ago.', (round) =>
      Number(roundState(round, clock()) === 'late'),
    ),
    gauge('plimsoll_round_failing', '1 if the last run of a round failed.', (round) =>
      Number(roundState(round, clock()) === 'failing'),
    ),
  ];
}

function secondsSince(time: Date, now: Date): number {
  return Math.max(0, now.getTime() - time.getTime()) / 1_000;
}
