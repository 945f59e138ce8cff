import {
  type JudgedOverview,
  judgeOverview,
  type OverviewFacts,
  type ReleaseOverviewFacts,
  unknownRelease,
} from '@plimsoll/advisories';
import {
  type ApprovalStatus,
  type HostId,
  type OnboardingMode,
  type PatchRhythmState,
  patchRhythmState,
} from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import { reportedAtSql } from './reported-at.ts';

/** A host with all facts on which its judgement depends, and what is stored of it. */
export interface HostToJudge {
  readonly hostId: HostId;
  readonly facts: OverviewFacts;
  readonly release: ReleaseOverviewFacts;
  /** When it is without updates for too long, in milliseconds since 1970; null: not known. */
  readonly overdueAt: number | null;
  /** What lists select hosts by, from their own rows. */
  readonly host: OfHost;
  readonly stored: StoredJudgement;
  /** The time by the database's clock at which the facts were read, in milliseconds since 1970. */
  readonly now: number;
}

/** Facts of `hosts` that `host_state` repeats, so that most lists read one table. */
interface OfHost {
  readonly approval: ApprovalStatus;
  readonly mode: OnboardingMode;
}

/**
 * SQL: columns of a release `r`, its feed `f` and the feed's own files for it `fr`: a release with files of its own can be
 * older than its feed, or missing in it.
 */
export const feedUpdatedAtSql = 'CASE WHEN fr.release IS NULL THEN f.updated_at ELSE fr.updated_at END';

/** SQL: joins the release of a `host_state s`, its feed and the feed's own files for it. */
export const releaseJoins = `LEFT JOIN releases r ON r.id = s.release_id LEFT JOIN feeds f ON f.id = r.feed_id
  LEFT JOIN feed_releases fr ON fr.feed_id = r.feed_id AND fr.release = r.name`;

const ms = (time: string) => `round(date_part('epoch', ${time}) * 1000)::float8`;

const statement = `SELECT s.host_id AS "hostId",
  -- A deadline has passed once its millisecond is over.
  ceil(date_part('epoch', clock_timestamp()) * 1000)::float8 AS now,
  jsonb_build_object(
    'hasReport', s.snapshot_id IS NOT NULL,
    'failedPulls', coalesce(t.failures >= 3 AND t.first_pulled_at IS NOT NULL, false),
    'reportedAt', ${ms(reportedAtSql('s', 'c'))}, 'staleAfterSeconds', c.stale_after_seconds,
    'updatesKnown', s.updates_known, 'listsAt', ${ms('c.lists_at')},
    'repositoriesState', c.repositories_state, 'repositoriesValidUntil', ${ms('c.repositories_valid_until')},
    'repositoryFailing', c.repository_error <> '', 'unknown', s.unknown, 'availableUpdates', s.available_updates,
    'rebootState', s.reboot_state, 'restartState', s.restart_state, 'grounds', s.grounds, 'supportEndsAt', ${ms('s.support_ends_at')}) AS facts,
  CASE WHEN r.id IS NOT NULL THEN jsonb_build_object(
    'feedId', f.id, 'feedUpdatedAt', ${ms(feedUpdatedAtSql)}, 'feedStaleAfterSeconds', coalesce(f.stale_after_seconds, 0),
    'covered', r.covered, 'listsUnfixed', r.lists_unfixed, 'supportEndsAt', ${ms('r.ends_at')}) END AS release,
  ${ms('p.overdue_at')} AS "overdueAt",
  jsonb_build_object('approval', h.approval_status, 'mode', h.onboarding_mode) AS host,
  jsonb_build_object('status', s.status, 'coverage', s.coverage, 'updatesState', s.updates_state,
    'repositoriesState', s.repositories_state, 'gaps', s.gaps, 'overallAction', s.overall_action,
    'patchRhythm', s.patch_rhythm, 'approval', s.approval, 'mode', s.mode, 'judgedUntil', ${ms('s.judged_until')}) AS stored
  FROM host_state s JOIN hosts h ON h.id = s.host_id JOIN host_contacts c ON c.host_id = s.host_id
  LEFT JOIN ssh_targets t ON t.host_id = s.host_id LEFT JOIN patch_rhythms p ON p.host_id = s.host_id ${releaseJoins}
  WHERE s.host_id = ANY($1::uuid[]) ORDER BY s.host_id`;

interface Row extends Omit<HostToJudge, 'release'> {
  readonly release: ReleaseOverviewFacts | null;
}

/**
 * The facts of hosts, by id in ascending order. The caller has locked their rows of `host_state` in an earlier statement, so that
 * this one sees what was committed before the lock was free.
 */
export async function loadOverviewFacts(
  tx: Pick<PgTransaction, 'query'>,
  hostIds: readonly HostId[],
): Promise<readonly HostToJudge[]> {
  const { rows } = await tx.query<Row>(statement, [hostIds]);
  return rows.map((row) => ({ ...row, release: row.release ?? unknownRelease }));
}

/** What is judged of a host, as `host_state` has it. */
export interface StoredJudgement extends Omit<JudgedOverview, 'until'>, OfHost {
  readonly patchRhythm: PatchRhythmState;
  /** A lower bound of the end of the judgement, in milliseconds since 1970. */
  readonly judgedUntil: number;
}

/** A host and its judgement. */
export interface JudgedRow extends StoredJudgement {
  readonly hostId: HostId;
}

/** The columns of a judgement in `host_state`, for `rowTable`; `judgedUntil` must be a Date. */
export const judgementColumns =
  'status text, coverage text, updates_state text, repositories_state text, gaps int, overall_action text, patch_rhythm text, approval text, mode text, judged_until timestamptz';

/** Judged again after this time at the latest, so that a clock that went ahead and came back leaves nothing behind. */
const longestMs = 24 * 3600 * 1000;

/**
 * Judges a host. Keeps the stored bound while it is one, because it is indexed: a host that reports each hour is judged when it could
 * first have been stale, and no index changes in between.
 */
export function judgementOf({
  facts,
  release,
  overdueAt,
  host,
  stored,
  now,
}: Omit<HostToJudge, 'hostId'>): StoredJudgement {
  const { until, ...judged } = judgeOverview(facts, release, now);
  const patchRhythm = patchRhythmState(
    overdueAt,
    { ...judged, availableUpdates: facts.availableUpdates },
    now,
  );
  const changesAt = overdueAt !== null && patchRhythm === 'regular' ? overdueAt : Number.POSITIVE_INFINITY;
  const latest = Math.min(until, changesAt, now + longestMs);
  const isBound = stored.judgedUntil >= now && stored.judgedUntil <= latest;
  return { ...judged, patchRhythm, ...host, judgedUntil: isBound ? stored.judgedUntil : latest };
}

/** Whether a judgement differs from the stored one, apart from how long it holds. */
export function isOther(judged: StoredJudgement, stored: StoredJudgement): boolean {
  return (
    judged.status !== stored.status ||
    judged.coverage !== stored.coverage ||
    judged.updatesState !== stored.updatesState ||
    judged.repositoriesState !== stored.repositoriesState ||
    judged.gaps !== stored.gaps ||
    judged.overallAction !== stored.overallAction ||
    judged.patchRhythm !== stored.patchRhythm ||
    judged.approval !== stored.approval ||
    judged.mode !== stored.mode
  );
}
