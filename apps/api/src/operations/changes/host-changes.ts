import type { HostChanges } from '@plimsoll/contract';
import {
  assessStoredHost,
  type HostHistory,
  type HostOverview,
  type HostThen,
  pastGaps,
  type SnapshotChoice,
} from '@plimsoll/db';
import { AppError, type Gap, gapsOfBits } from '@plimsoll/model';
import { validationFailed } from '../../http/request-fields.ts';
import { findHost, gapsHeader, headerOf } from '../hosts/find-host.ts';
import type { ReadHandler } from '../read-operation.ts';
import { loadCauses } from './change-causes.ts';
import { closedAnswer, differingFindings, openedAnswer, type Side } from './changed-findings.ts';
import { changedPackages } from './changed-packages.ts';

/** GET /hosts/{id}/changes */
export const getHostChanges: ReadHandler<'getHostChanges'> = async (
  { params, query, caller },
  { stores, clock },
) => {
  const overview = await findHost(stores.hosts, caller.scope, params.id);
  // Snapshots take precedence over times.
  const from = query.from_snapshot === undefined ? (query.from ?? null) : null;
  const to = query.to_snapshot === undefined ? (query.to ?? clock()) : null;
  if (from !== null && to !== null && from > to) {
    throw validationFailed([{ pointer: '/from', detail: 'must not be later than "to"' }]);
  }
  const [before, after] = await Promise.all([
    findSide(stores.history, params.id, query.from_snapshot, from),
    findSide(stores.history, params.id, query.to_snapshot, query.to === undefined ? 'now' : to),
  ]);
  const sides = { from: sideAnswer(before, from), to: sideAnswer(after, to) };
  if (before.was === null || after.was === null) {
    return {
      kind: 'json',
      status: 200,
      headers: gapsHeader(overview),
      body: { ...sides, packages: [], opened: [], closed: [] },
    };
  }
  const [had, has] = [assessed(before.was), assessed(after.was)];
  const { opened, closed } = differingFindings(had, has, query.include_hidden ?? false);
  const [whyOpened, whyClosed] = await Promise.all([
    loadCauses(stores.history, opened, has, had),
    loadCauses(stores.history, closed, had, has),
  ]);
  const gaps = [had, has].flatMap((side) => [...gapsOf(side, overview)]);
  return {
    kind: 'json',
    status: 200,
    headers: headerOf(gaps),
    body: {
      ...sides,
      packages: [...changedPackages(had.host, has.host)],
      opened: openedAnswer(whyOpened.findings, whyOpened.causeOf),
      closed: closedAnswer(whyClosed.findings, has, whyClosed.causeOf),
    },
  };
};

type AssessedSide = HostThen & Side;

function assessed(was: HostThen): AssessedSide {
  return { ...was, assessment: assessStoredHost(was.host) };
}

/** What was not known at the time of a side; today's gaps if that is now. */
function gapsOf(side: AssessedSide, { gaps }: HostOverview): Iterable<Gap> {
  return side.host.moment.at === null ? gapsOfBits(gaps) : pastGaps(side, side.assessment);
}

interface FoundSide {
  readonly was: HostThen | null;
  /** Whether the requested time is before the first snapshot. */
  readonly early: boolean;
}

/** Finds a snapshot by id or time, as it was known then; the first snapshot if neither is given or none had arrived by then. */
async function findSide(
  history: HostHistory,
  hostId: string,
  snapshotId: string | undefined,
  at: Date | 'now' | null,
): Promise<FoundSide> {
  const find = (choice: SnapshotChoice) => history.find(hostId, choice, 'then');
  if (snapshotId !== undefined) {
    const was = await find({ kind: 'snapshot', id: snapshotId });
    if (was === null) throw new AppError('not_found', 'The host has no snapshot with this id.');
    return { was, early: false };
  }
  if (at === 'now') return { was: await find({ kind: 'newest' }), early: false };
  const was = at === null ? null : await find({ kind: 'at', at });
  if (was !== null) return { was, early: false };
  const first = await find({ kind: 'first' });
  return { was: first, early: at !== null && first !== null };
}

function sideAnswer({ was, early }: FoundSide, at: Date | null): HostChanges['from'] {
  return {
    at: at?.toISOString() ?? null,
    snapshot_id: was?.snapshotId ?? null,
    received_at: was?.receivedAt.toISOString() ?? null,
    resolution: was?.resolution ?? null,
    before_first_snapshot: early,
  };
}
