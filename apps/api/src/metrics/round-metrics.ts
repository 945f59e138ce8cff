import type { RoundStore } from '@plimsoll/db';
import { type RoundRuns, roundState } from '@plimsoll/model';
import type { Logger, Metrics } from '@plimsoll/process';

/** Registers the metrics of what the service repeats. No values while the database is unreachable. */
export function registerRoundMetrics(options: {
  readonly metrics: Metrics;
  readonly rounds: Pick<RoundStore, 'list'>;
  readonly logger: Logger;
  readonly clock: () => Date;
}): void {
  const { metrics, rounds, logger, clock } = options;
  const register = (name: string, help: string, measure: (round: RoundRuns, now: Date) => number) =>
    metrics.gauge(name, help, ['round'], async (gauge) => {
      gauge.reset();
      try {
        for (const round of await rounds.list()) gauge.set({ round: round.name }, measure(round, clock()));
      } catch (error) {
        logger.warn({ err: error }, 'rounds not measured');
      }
    });
  register(
    'plimsoll_round_last_success_age_seconds',
    'Time since a round last succeeded, to the minute. +Inf: it never did.',
    ({ lastOkAt }, now) =>
      lastOkAt === null ? Number.POSITIVE_INFINITY : Math.max(0, now.getTime() - lastOkAt.getTime()) / 1000,
  );
  register('plimsoll_round_late', '1 if the last success of a round is too long ago.', (round, now) =>
    Number(roundState(round, now) === 'late'),
  );
  register('plimsoll_round_failing', '1 if the last run of a round failed.', (round, now) =>
    Number(roundState(round, now) === 'failing'),
  );
}
