import type { RepositoriesState } from '@plimsoll/model';
import { type CopyVerdict, judgeCopy } from './judge-copy.ts';
import { type LagRules, maxLagDays } from './max-lag.ts';
import type { RepositoryCopy } from './repository-copies.ts';

/** A copy with its judgement. */
export interface JudgedCopy extends CopyVerdict {
  readonly copy: RepositoryCopy;
  readonly maxLagDays: number;
}

/** A host's repositories with their judgements. */
export interface JudgedRepositories {
  readonly copies: readonly JudgedCopy[];
  readonly state: RepositoriesState;
  /** The earliest Valid-Until of the used repositories; null if none has one. */
  readonly validUntil: Date | null;
}

/** The rules to judge a host's repositories by. */
export interface RepositoryRules {
  readonly lag: LagRules;
  readonly tags: readonly string[];
  /** The newest known date of a repository, by its identity's key. */
  newestOf(key: string): Date | null;
  readonly now: Date;
}

/**
 * Judges a host's copies. The host is outdated if any used repository is, and current only if all are; a host without
 * used repositories is unknown.
 */
export function judgeRepositories(
  copies: readonly RepositoryCopy[],
  { lag, tags, newestOf, now }: RepositoryRules,
): JudgedRepositories {
  const used = copies.filter(({ isUsed }) => isUsed);
  const hostFetchedAt = latest(used.map(({ fetchedAt }) => fetchedAt));
  const judged = copies.map((copy): JudgedCopy => {
    const days = maxLagDays(lag, copy, tags);
    const newestAt = copy.identity === null ? null : newestOf(copy.identity.key);
    const verdict = judgeCopy(copy, { newestAt, maxLagDays: days, hostFetchedAt, now });
    return { copy, maxLagDays: days, ...verdict };
  });
  const states = judged.filter(({ copy }) => copy.isUsed).map(({ state }) => state);
  return {
    copies: judged,
    state: hostState(states),
    validUntil: earliest(used.map((copy) => copy.validUntil)),
  };
}

function hostState(states: readonly RepositoriesState[]): RepositoriesState {
  if (states.includes('outdated')) return 'outdated';
  return states.length === 0 || states.includes('unknown') ? 'unknown' : 'current';
}

function latest(dates: readonly (Date | null)[]): Date | null {
  return dates.reduce(
    (newest, date) => (date !== null && (newest === null || date > newest) ? date : newest),
    null,
  );
}

function earliest(dates: readonly (Date | null)[]): Date | null {
  return dates.reduce(
    (oldest, date) => (date !== null && (oldest === null || date < oldest) ? date : oldest),
    null,
  );
}
