import { AppError, type HistoryResolution, type UploadId } from '@plimsoll/model';
import { type Database, isUuid, preparedReads } from '../../core/database.ts';
import type { Statements } from '../../core/transaction.ts';
import type { KnowledgeMemories, KnowledgeMemory } from '../../knowledge/knowledge-memory.ts';
import { type CoverageAt, loadCoverageAt } from '../../knowledge/release-coverage.ts';
import type { Exposure } from '../history/exposure-walk.ts';
import { contentAt, type FoldedAt, foldedAtBySql, sequenceAtBySql } from '../history/folded-snapshots.ts';
import { loadHistoryStart } from '../history/history-retention.ts';
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
  /** When the host sent it. Of another resolution than `snapshot` it can be later than the time that was asked for. */
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
    async exposures(host, origins) {
      return (await loadFindingExposures(reads, host, origins)).map(({ exposures }) => exposures);
    },
  };
}

/** Where a history is read. */
interface HistorySource {
  readonly reads: Statements;
  readonly memories: KnowledgeMemories;
}

/** What is asked of a history. */
interface HistoryQuestion {
  readonly hostId: string;
  readonly choice: SnapshotChoice;
  readonly known: Known;
}

/** The same as HostHistory.find, for a history that begins at a time; null: nothing was deleted. */
async function findSince(
  startsAt: Date | null,
  source: HistorySource,
  { hostId, choice, known }: HistoryQuestion,
): Promise<HostThen | null> {
  const { reads, memories } = source;
  if (choice.kind === 'at') refuseBefore(startsAt, choice.at);
  const found = await findRow(reads, hostId, choice);
  if (found === null) return null;
  const { row, firstAt, folded } = found;
  if (choice.kind === 'first') {
    const at = latest(firstAt ?? row.receivedAt, startsAt);
    // What counted then was folded into this snapshot, or the history begins later than it.
    if (at.getTime() !== row.receivedAt.getTime())
      return findSince(startsAt, source, { hostId, choice: { kind: 'at', at }, known });
  }
  const at = choice.kind === 'at' ? choice.at : row.receivedAt;
  if (choice.kind === 'snapshot' && known === 'then') refuseBefore(startsAt, at);
  const moment = { at, knownAt: known === 'then' ? at : null };
  const memory = await memories.current();
  return folded === null
    ? complete(reads, memory, row, choice.kind === 'newest' ? now : moment)
    : completeFolded(reads, memory, { row, folded, moment });
}

/** A host at a time of which the snapshot was folded into another one. */
async function completeFolded(
  client: Statements,
  memory: KnowledgeMemory,
  {
    row,
    folded,
    moment,
  }: {
    readonly row: PastRow;
    readonly folded: FoldedAt;
    readonly moment: { readonly at: Date; readonly knownAt: Date | null };
  },
): Promise<HostThen> {
  const { hostId } = row;
  const content = await contentAt(client, { hostId, at: moment.at, kept: row, offers: folded.offers });
  const then = await complete(client, memory, { ...row, ...content }, moment);
  return {
    ...then,
    resolution: folded.resolution,
    knowledge: { ...then.knowledge, reportedAt: earliest(folded.contactAt, then.knowledge.reportedAt) },
  };
}

function latest(a: Date, b: Date | null): Date {
  return b === null || a > b ? a : b;
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
  readonly sequence: string;
  /** From when on it counts. */
  readonly receivedAt: Date;
  /** When the host sent it: earlier if it was parsed again. */
  readonly sentAt: Date;
  readonly confirmedAt: Date | null;
  readonly collectedAt: Date | null;
  readonly staleAfterSeconds: number;
  readonly listsAt: Date | null;
  readonly releaseEndsAt: Date | null;
}

/** A snapshot that a choice selects. */
interface FoundRow {
  readonly row: PastRow;
  /** When the first of the snapshots that were folded into it was received; null: none was. */
  readonly firstAt: Date | null;
  /** For a time at which one counted that was folded into it. */
  readonly folded: FoldedAt | null;
}

/** One statement, so that no snapshot can be folded between choosing and reading it. */
async function findRow(client: Statements, hostId: string, choice: SnapshotChoice): Promise<FoundRow | null> {
  const [condition, value] = conditionOf(choice);
  const folded = choice.kind === 'at' ? foldedAtBySql : 'NULL AS resolution';
  const { rows } = await client.query<
    PastRow & Pick<FoundRow, 'firstAt'> & (FoldedAt | { resolution: null })
  >(
    `SELECT ${stateColumns}, s.sequence::text AS sequence, s.received_at AS "receivedAt", coalesce(s.reported_at, s.received_at) AS "sentAt", r.ends_at AS "releaseEndsAt", s.lists_at AS "listsAt",
            c.stale_after_seconds AS "staleAfterSeconds", CASE WHEN s.source = 'manual' THEN s.collected_at END AS "collectedAt",
            CASE WHEN next.id IS NULL THEN c.last_confirmed_at ELSE next.prior_confirmed_at END AS "confirmedAt",
            fold.first_at AS "firstAt", ${folded}
     FROM snapshots s
     JOIN host_state hs ON hs.host_id = s.host_id AND s.sequence <= hs.sequence JOIN host_contacts c ON c.host_id = s.host_id
     JOIN package_sets ps ON ps.id = s.set_id JOIN releases r ON r.id = s.release_id LEFT JOIN feeds f ON f.id = r.feed_id
     LEFT JOIN folded_snapshots fold ON fold.snapshot_id = s.id
     LEFT JOIN LATERAL (
       SELECT id, prior_confirmed_at FROM snapshots n WHERE n.host_id = s.host_id AND n.sequence > s.sequence
       ORDER BY n.sequence LIMIT 1) next ON true
     WHERE s.host_id = $1 AND hs.first_snapshot_at IS NOT NULL AND ${condition} LIMIT 1`,
    value === null ? [hostId] : [hostId, value],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return { row, firstAt: row.firstAt, folded: row.resolution === null ? null : row };
}

async function complete(
  client: Statements,
  memory: KnowledgeMemory,
  {
    receivedAt,
    sentAt,
    confirmedAt,
    collectedAt,
    staleAfterSeconds,
    listsAt,
    releaseEndsAt,
    ...state
  }: PastRow,
  moment: Moment,
): Promise<HostThen> {
  const { knownAt } = moment;
  const at = moment.at ?? receivedAt;
  const [coverage, found] = await Promise.all([
    knownAt === null ? null : loadCoverageAt(client, state.release, knownAt),
    completeHost(client, memory, state, moment),
  ]);
  const host = knownAt === null ? found : { ...found, feed: feedOf(coverage) };
  const reported = [confirmedAt, sentAt].map((time) => Math.min(time?.getTime() ?? 0, at.getTime()));
  // People can bring an old report any day; it is as old as it says.
  const reportedAt = new Date(
    Math.min(Math.max(...reported), collectedAt?.getTime() ?? Number.POSITIVE_INFINITY),
  );
  return {
    snapshotId: state.snapshotId,
    receivedAt: sentAt,
    resolution: 'snapshot',
    at,
    host,
    knowledge: {
      reportedAt,
      reportStaleAfterSeconds: staleAfterSeconds,
      listsAgeMs: listsAt === null ? null : sentAt.getTime() - listsAt.getTime(),
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
      return [`s.sequence = ${sequenceAtBySql}`, choice.at];
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
