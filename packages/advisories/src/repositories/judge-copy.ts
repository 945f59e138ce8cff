import type { CopyReason, RepositoriesState } from '@plimsoll/model';

const dayMs = 24 * 60 * 60 * 1000;

/** A copy's state with its reason. */
export interface CopyVerdict {
  readonly state: RepositoriesState;
  readonly reason: CopyReason;
}

/** What is known of the dates of a repository. Those after the time of judging are ignored. */
export interface NewestDates {
  /** The newest known date, of the publisher or of three approved hosts; null if none is known. */
  readonly newestAt: Date | null;
  /** The newest date of any approved host's copy; null without copies. */
  readonly seenAt: Date | null;
}

export const unknownDates: NewestDates = { newestAt: null, seenAt: null };

/** What a host says about its copy; of its error the last fetch's. */
interface DatedCopy {
  readonly publishedAt: Date | null;
  readonly validUntil: Date | null;
  readonly fetchedAt: Date | null;
  readonly error: string;
}

/** The facts to judge a copy against. */
interface CopyContext extends NewestDates {
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
  copy: DatedCopy,
  { newestAt, seenAt, maxLagDays, hostFetchedAt, now }: CopyContext,
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
  const isBehind = (date: Date | null) =>
    date !== null && date <= now && date.getTime() - publishedAt.getTime() > maxLagMs;
  if (isBehind(newest)) return { state: 'outdated', reason: 'behind' };
  if (error !== '') return { state: 'unknown', reason: 'failed' };
  if (isBehind(seenAt)) return { state: 'unknown', reason: 'newer_on_few' };
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
