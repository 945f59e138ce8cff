import {
  judgeRepositories,
  type LagRules,
  type RepositoryCopy,
  repositoryCopies,
} from '@plimsoll/advisories';
import type { CopyReason, Platform, RepositoriesState, Repository, RepositoryRefresh } from '@plimsoll/model';

/** The input for judging a host's copies of repositories. */
export interface HostToJudge {
  readonly tags: readonly string[];
  readonly platform: Platform;
  readonly repositories: readonly Repository[];
  /** Null if an older version of the service stored the facts without vendors. */
  readonly vendors: readonly string[] | null;
  readonly refreshed: readonly RepositoryRefresh[];
}

/** A judged copy, as stored. */
export interface JudgedCopyRow {
  readonly source: string;
  readonly url: string;
  readonly origin: string;
  readonly suite: string;
  readonly component: string;
  readonly enabled: boolean;
  readonly used: boolean;
  readonly publishedAt: Date | null;
  readonly validUntil: Date | null;
  readonly error: string;
  readonly maxLagDays: number;
  readonly state: RepositoriesState;
  readonly reason: CopyReason;
  /** Null if no other host can have the same repository. */
  readonly identityKey: string | null;
}

/** The judged copies of a host and their overall state. */
export interface JudgedCopies {
  readonly rows: readonly JudgedCopyRow[];
  readonly state: RepositoriesState;
  readonly validUntil: Date | null;
}

/** The copies of a stored host, by source. */
export function copiesOf({ vendors, ...host }: HostToJudge): readonly RepositoryCopy[] {
  return repositoryCopies({ ...host, vendors: vendors === null ? null : new Set(vendors) });
}

/**
 * Judges the copies of a stored host.
 * @param newest the newest known date of each repository, by identity key.
 */
export function judgeCopies(
  host: HostToJudge,
  lag: LagRules,
  newest: ReadonlyMap<string, { readonly newestAt: Date | null }>,
  now: Date,
): JudgedCopies {
  const newestOf = (key: string) => newest.get(key)?.newestAt ?? null;
  const { copies, ...verdict } = judgeRepositories(copiesOf(host), { lag, tags: host.tags, newestOf, now });
  const rows = copies.map(({ copy, maxLagDays, state, reason }) => ({
    ...rowOf(copy),
    maxLagDays,
    state,
    reason,
  }));
  return { rows, ...verdict };
}

function rowOf(copy: RepositoryCopy): Omit<JudgedCopyRow, 'maxLagDays' | 'state' | 'reason'> {
  const { identity, isUsed, fetchedAt: _, ...said } = copy;
  return { ...said, used: isUsed, identityKey: identity?.key ?? null };
}
