import type { CopyReason, RepositoriesState } from '@plimsoll/model';
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

const dayMs = 24 * 60 * 60 * 1000;

/** A copy's state with its reason. */
export interface CopyVerdict {
  readonly state: RepositoriesState;
  readonly reason: CopyReason;
}

/** The facts to judge a copy against. */
interface CopyContext {
  /** The newest known date; null if none is known. One after `now` is ignored. */
  readonly newestAt: Date | null;
  readonly maxLagDays: number;
  /** When the newest of the host's repositories was fetched; null if unknown. */
  readonly hostFetchedAt: Date | null;
  readonly now: Date;
}

/**
 * Judges one copy by the contract's rule of `repositories_state`. `outdated` needs proof: its own Valid-Until or a
 * newer copy. `current` also needs proof: a comparison was possible and found nothing newer, and the host could fetch
 * it.
 */
export function judgeCopy(
  copy: Pick<RepositoryCopy, 'publishedAt' | 'validUntil' | 'fetchedAt' | 'error'>,
  { newestAt, maxLagDays, hostFetchedAt, now }: CopyContext,
): CopyVerdict {
  const { publishedAt, validUntil, fetchedAt, error } = copy;
  const maxLagMs = maxLagDays * dayMs;
  if (validUntil !== null && validUntil < now) return { state: 'outdated', reason: 'expired' };
  if (publishedAt === null) {
    const reason = error !== '' ? 'failed' : fetchedAt === null ? 'never_fetched' : 'no_date';
    return { state: 'unknown', reason };
  }
  if (publishedAt > now) return { state: 'unknown', reason: 'future_date' };
  const newest = newestAt !== null && newestAt <= now ? newestAt : null;
  if (newest !== null && newest.getTime() - publishedAt.getTime() > maxLagMs) {
    return { state: 'outdated', reason: 'behind' };
  }
  if (error !== '') return { state: 'unknown', reason: 'failed' };
  if (
    hostFetchedAt !== null &&
    (fetchedAt === null || hostFetchedAt.getTime() - fetchedAt.getTime() > maxLagMs)
  ) {
    return { state: 'unknown', reason: 'left_behind' };
  }
  if (newest !== null) return { state: 'current', reason: 'as_new' };
  return validUntil === null
    ? { state: 'unknown', reason: 'nothing_to_compare' }
    : { state: 'current', reason: 'still_valid' };
}
