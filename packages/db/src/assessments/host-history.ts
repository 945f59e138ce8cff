import { AppError, type HistoryResolution, type UploadId } from '@plimsoll/model';
import type { Statements } from '../connection/transaction.ts';
import { type Database, isUuid, preparedReads } from '../database.ts';
import type { Exposure } from '../history/exposure-walk.ts';
import { contentAt, type FoldedAt, findFirstFolded, findFoldedAt } from '../history/folded-snapshots.ts';
import { loadHistoryStart } from '../history/history-retention.ts';
import { type CoverageAt, loadCoverageAt } from '../history/release-coverage.ts';
import type { KnowledgeMemories, KnowledgeMemory } from '../knowledge/knowledge-memory.ts';
import { type FindingHost, type FindingOrigin, loadFindingExposures } from './finding-exposures.ts';
import type { PastKnowledge } from './past-gaps.ts';
import {
  completeHost,
  type HostToAssess,
  type Moment,
  now,
  type StateRow,
  stateColumns,
} from './stored-host.ts';

/** Selects a host's snapshot: the newest received by a time, one by its id, the first, or the newest. */
export type SnapshotChoice =
  | { readonly kind: 'at'; readonly at: Date }
  | { readonly kind: 'snapshot'; readonly id: string }
  | { readonly kind: 'first' }
  | { readonly kind: 'newest' };

/** What counts for a past snapshot: what was known when it was the newest one, or what is known now. */
export type Known = 'then' | 'now';

/** A host as of one of its snapshots. */
export interface HostThen {
  readonly snapshotId: UploadId;
  /** Of another resolution than `snapshot` it can be later than the time that was asked for. */
  readonly receivedAt: Date;
  readonly resolution: HistoryResolution;
  /** The time that was asked for, otherwise that of the snapshot. */
  readonly at: Date;
  readonly host: HostToAssess;
  readonly knowledge: PastKnowledge;
}

/** Hosts as of earlier snapshots. */
export interface HostHistory {
  /**
   * Null if the host has no such snapshot. The newest one without a time is the host as it is, whatever `known` is.
   * Throws `no_snapshot` for a time before the start of the history.
   */
  find(hostId: string, choice: SnapshotChoice, known: Known): Promise<HostThen | null>;
  /** The exposures that findings of a host belong to; see loadFindingExposures. */
  exposures(host: FindingHost, origins: readonly FindingOrigin[]): Promise<readonly (readonly Exposure[])[]>;
}

/** The host history of one database. @param memories what its reads share. */
export function createHostHistory(
  database: Pick<Database, 'pool'>,
  memories: KnowledgeMemories,
): HostHistory {
  const reads = preparedReads(database);
  return {
    async find(hostId, choice, known) {
      if (!isUuid(hostId) || (choice.kind === 'snapshot' && !isUuid(choice.id))) return null;
      for (;;) {
        const startsAt = await loadHistoryStart(reads);
        const found = await findSince(startsAt, { reads, memories }, { hostId, choice, known });
        if (choice.kind === 'newest') return found;
        // If the start moved, rows of before it may have been missing already.
        const since = await loadHistoryStart(reads);
        if (since?.getTime() === startsAt?.getTime()) return found;
      }
    },
    exposures: (host, origins) => loadFindingExposures(reads, host, origins),
  };
}

/** The same as HostHistory.find, for a history that begins at a time; null: nothing was deleted. */
async function findSince(
  startsAt: Date | null,
  { reads, memories }: { readonly reads: Statements; readonly memories: KnowledgeMemories },
  {
    hostId,
    choice,
    known,
  }: { readonly hostId: string; readonly choice: SnapshotChoice; readonly known: Known },
): Promise<HostThen | null> {
  if (choice.kind === 'at') refuseBefore(startsAt, choice.at);
  const foldedTime = await timeToUnfold(reads, hostId, choice, startsAt);
  const folded = foldedTime === null ? null : await findFoldedAt(reads, hostId, foldedTime);
  if (folded !== null && foldedTime !== null) {
    const moment = { at: foldedTime, knownAt: known === 'then' ? foldedTime : null };
    return findFolded(reads, await memories.current(), { hostId, folded, moment });
  }
  const row = await findRow(reads, hostId, choice);
  if (row === null) return null;
  const found = choice.kind === 'at' ? choice.at : row.receivedAt;
  if (choice.kind === 'snapshot' && known === 'then') refuseBefore(startsAt, found);
  // The oldest snapshot that is kept can be older than the history: it counted at its start.
  const at = choice.kind === 'first' && startsAt !== null && found < startsAt ? startsAt : found;
  const knownAt = known === 'then' ? at : null;
  return complete(reads, await memories.current(), row, choice.kind === 'newest' ? now : { at, knownAt });
}

/** The time at which a choice looks at a host, if it looks at a time; null: it looks at a stored snapshot. */
async function timeToUnfold(
  client: Statements,
  hostId: string,
  choice: SnapshotChoice,
  startsAt: Date | null,
): Promise<Date | null> {
  if (choice.kind === 'at') return choice.at;
  if (choice.kind !== 'first') return null;
  const firstAt = await findFirstFolded(client, hostId);
  return firstAt !== null && startsAt !== null && firstAt < startsAt ? startsAt : firstAt;
}

/** A host at a time of which the snapshot was folded into another one. */
async function findFolded(
  client: Statements,
  memory: KnowledgeMemory,
  {
    hostId,
    folded,
    moment,
  }: {
    readonly hostId: string;
    readonly folded: FoldedAt;
    readonly moment: { readonly at: Date; readonly knownAt: Date | null };
  },
): Promise<HostThen | null> {
  const row = await findRow(client, hostId, { kind: 'snapshot', id: folded.id });
  if (row === null) return null;
  const content = await contentAt(client, { hostId, at: moment.at, folded, kept: row.ids });
  const then = await complete(client, memory, { ...row, ...content }, moment);
  return {
    ...then,
    resolution: folded.resolution,
    knowledge: { ...then.knowledge, reportedAt: earliest(folded.contactAt, then.knowledge.reportedAt) },
  };
}

function earliest(a: Date, b: Date): Date {
  return a < b ? a : b;
}

/** Of the time before the start only a part is kept, which would look better than it was. */
function refuseBefore(startsAt: Date | null, at: Date): void {
  if (startsAt === null || at >= startsAt) return;
  throw new AppError(
    'no_snapshot',
    `The history of that time was deleted. It begins at ${startsAt.toISOString()}.`,
  );
}

interface PastRow extends StateRow {
  readonly receivedAt: Date;
  readonly confirmedAt: Date | null;
  readonly collectedAt: Date | null;
  readonly staleAfterSeconds: number;
  readonly listsAt: Date | null;
  readonly releaseEndsAt: Date | null;
}

async function findRow(client: Statements, hostId: string, choice: SnapshotChoice): Promise<PastRow | null> {
  const [condition, value] = conditionOf(choice);
  const { rows } = await client.query<PastRow>(
    `SELECT ${stateColumns}, s.received_at AS "receivedAt", r.ends_at AS "releaseEndsAt", s.lists_at AS "listsAt",
            c.stale_after_seconds AS "staleAfterSeconds", CASE WHEN s.source = 'manual' THEN s.collected_at END AS "collectedAt",
            CASE WHEN next.id IS NULL THEN c.last_confirmed_at ELSE next.prior_confirmed_at END AS "confirmedAt"
     FROM snapshots s
     JOIN host_state hs ON hs.host_id = s.host_id AND s.sequence <= hs.sequence JOIN host_contacts c ON c.host_id = s.host_id
     JOIN package_sets ps ON ps.id = s.set_id JOIN releases r ON r.id = s.release_id LEFT JOIN feeds f ON f.id = r.feed_id
     LEFT JOIN LATERAL (
       SELECT id, prior_confirmed_at FROM snapshots n WHERE n.host_id = s.host_id AND n.sequence > s.sequence
       ORDER BY n.sequence LIMIT 1) next ON true
     WHERE s.host_id = $1 AND hs.first_snapshot_at IS NOT NULL AND ${condition} LIMIT 1`,
    value === null ? [hostId] : [hostId, value],
  );
  return rows[0] ?? null;
}

async function complete(
  client: Statements,
  memory: KnowledgeMemory,
  { receivedAt, confirmedAt, collectedAt, staleAfterSeconds, listsAt, releaseEndsAt, ...state }: PastRow,
  moment: Moment,
): Promise<HostThen> {
  const { knownAt } = moment;
  const at = moment.at ?? receivedAt;
  const [coverage, found] = await Promise.all([
    knownAt === null ? null : loadCoverageAt(client, state.release, knownAt),
    completeHost(client, memory, state, moment),
  ]);
  const host = knownAt === null ? found : { ...found, feed: feedOf(coverage) };
  const reported = [confirmedAt, receivedAt].map((time) => Math.min(time?.getTime() ?? 0, at.getTime()));
  // People can bring an old report any day; it is as old as it says.
  const reportedAt = new Date(
    Math.min(Math.max(...reported), collectedAt?.getTime() ?? Number.POSITIVE_INFINITY),
  );
  return {
    snapshotId: state.snapshotId,
    receivedAt,
    resolution: 'snapshot',
    at,
    host,
    knowledge: {
      reportedAt,
      reportStaleAfterSeconds: staleAfterSeconds,
      listsAgeMs: listsAt === null ? null : receivedAt.getTime() - listsAt.getTime(),
      listsUnfixed: coverage?.listsUnfixed ?? false,
      feedStaleAfterSeconds: coverage?.staleAfterSeconds ?? null,
      releaseEndsAt,
    },
  };
}

/** The feed of a release as it was known at a time. */
function feedOf(coverage: CoverageAt | null): HostToAssess['feed'] {
  if (coverage === null || coverage.feedId === null) return null;
  return { id: coverage.feedId, updatedAt: coverage.updatedAt, covered: coverage.covered };
}

function conditionOf(choice: SnapshotChoice): readonly [condition: string, value: Date | string | null] {
  switch (choice.kind) {
    case 'at':
      return ['s.received_at <= $2 ORDER BY s.sequence DESC', choice.at];
    case 'snapshot':
      return ['s.id = $2', choice.id];
    case 'first':
      return ['true ORDER BY s.sequence', null];
    case 'newest':
      return ['true ORDER BY s.sequence DESC', null];
    default:
      return choice satisfies never;
  }
}
