import { type JudgedOverview, judgeOverview } from '@plimsoll/advisories';
import type { HostId } from '@plimsoll/model';
import type { HostToJudge } from './overview-facts.ts';

/** What is judged of a host, as `host_state` has it. */
export interface StoredJudgement extends Omit<JudgedOverview, 'until'> {
  /** A lower bound of the end of the judgement, in milliseconds since 1970. */
  readonly judgedUntil: number;
}

/** A host and its judgement. */
export interface JudgedRow extends StoredJudgement {
  readonly hostId: HostId;
}

/** Names in `host_state`, with their types, in the order of `judgementValues`. */
export const judgementColumns = {
  status: 'text',
  coverage: 'text',
  updates_state: 'text',
  repositories_state: 'text',
  gaps: 'int',
  overall_action: 'text',
  judged_until: 'timestamptz',
} as const;

/** The columns of judgements as arrays. */
export function judgementValues(judged: readonly StoredJudgement[]): readonly unknown[][] {
  return [
    judged.map(({ status }) => status),
    judged.map(({ coverage }) => coverage),
    judged.map(({ updatesState }) => updatesState),
    judged.map(({ repositoriesState }) => repositoriesState),
    judged.map(({ gaps }) => gaps),
    judged.map(({ overallAction }) => overallAction),
    judged.map(({ judgedUntil }) => new Date(judgedUntil)),
  ];
}

/** Judged again after this time at the latest, so that a clock that went ahead and came back leaves nothing behind. */
const longestMs = 24 * 3600 * 1000;

/**
 * Judges a host. Keeps the stored bound while it is one, because it is indexed: a host that reports each hour is judged when it could
 * first have been stale, and no index changes in between.
 */
export function judgementOf({ facts, release, stored, now }: Omit<HostToJudge, 'hostId'>): StoredJudgement {
  const { until, ...judged } = judgeOverview(facts, release, now);
  const latest = Math.min(until, now + longestMs);
  const isBound = stored.judgedUntil >= now && stored.judgedUntil <= latest;
  return { ...judged, judgedUntil: isBound ? stored.judgedUntil : latest };
}

/** Whether a judgement differs from the stored one, apart from how long it holds. */
export function isOther(judged: StoredJudgement, stored: StoredJudgement): boolean {
  return (
    judged.status !== stored.status ||
    judged.coverage !== stored.coverage ||
    judged.updatesState !== stored.updatesState ||
    judged.repositoriesState !== stored.repositoriesState ||
    judged.gaps !== stored.gaps ||
    judged.overallAction !== stored.overallAction
  );
}
