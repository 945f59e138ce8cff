import type { CopyReason, RepositoriesState } from '@plimsoll/model';
import type { RepositoryCopy } from './repository-copies.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** A copy's state with its reason. */
export interface CopyVerdict {
  readonly state: RepositoriesState;
  readonly reason: CopyReason;
}

/** The facts to judge a copy against. */
export interface CopyContext {
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
