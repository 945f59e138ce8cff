import type { HostChanges, Operations } from '@plimsoll/contract';
import type { HostHistory, HostThen, SnapshotChoice } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import { validationFailed } from '../../http/request-fields.ts';
import { findHost, gapsHeader } from '../hosts/find-host.ts';
import type { ReadHandler } from '../read-operation.ts';
import { changedFindings } from './changed-findings.ts';
import { changedPackages } from './changed-packages.ts';

/** GET /hosts/{id}/changes */
export const getHostChanges: ReadHandler<Operations['getHostChanges']> = async (
  { params, query },
  { stores, clock },
) => {
  const overview = await findHost(stores.hosts, params.id);
  // Snapshots take precedence over times.
  const from = query.from_snapshot === undefined ? (query.from ?? null) : null;
  const to = query.to_snapshot === undefined ? (query.to ?? clock()) : null;
  if (from !== null && to !== null && from > to) {
    throw validationFailed([{ pointer: '/from', detail: 'must not be later than "to"' }]);
  }
  const [before, after] = await Promise.all([
    findSide(stores.history, params.id, query.from_snapshot, from),
    findSide(stores.history, params.id, query.to_snapshot, to),
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
  const span = { after: momentOf(before, before.was, from), until: momentOf(after, after.was, to) };
  const withdrawn = await stores.history.withdrawn(before.was.host, span);
  const findings = changedFindings(
    { host: before.was.host, asOf: span.after, withdrawn },
    { host: after.was.host, asOf: span.until, withdrawn: new Map() },
    query.include_hidden ?? false,
  );
  const packages = [...changedPackages(before.was.host, after.was.host)];
  const headers = gapsHeader(overview, before.was.host, after.was.host);
  return { kind: 'json', status: 200, headers, body: { ...sides, packages, ...findings } };
};

interface Side {
  readonly was: HostThen | null;
  /** Whether the requested time is before the first snapshot. */
  readonly early: boolean;
}

/** Finds a snapshot by id or time; the first snapshot if neither is given or none had arrived by then. */
async function findSide(
  history: HostHistory,
  hostId: string,
  snapshotId: string | undefined,
  at: Date | null,
): Promise<Side> {
  const find = (choice: SnapshotChoice) => history.find(hostId, choice);
  if (snapshotId !== undefined) {
    const was = await find({ kind: 'snapshot', id: snapshotId });
    if (was === null) throw new AppError('not_found', 'The host has no snapshot with this id.');
    return { was, early: false };
  }
  const was = at === null ? null : await find({ kind: 'at', at });
  if (was !== null) return { was, early: false };
  const first = await find({ kind: 'first' });
  return { was: first, early: at !== null && first !== null };
}

/** The time up to which advisories count for a side: the requested time, or that of the snapshot used instead. */
function momentOf({ early }: Side, { receivedAt }: HostThen, at: Date | null): Date {
  return at === null || early ? receivedAt : at;
}

function sideAnswer({ was, early }: Side, at: Date | null): HostChanges['from'] {
  return {
    at: at?.toISOString() ?? null,
    snapshot_id: was?.snapshotId ?? null,
    received_at: was?.receivedAt.toISOString() ?? null,
    before_first_snapshot: early,
  };
}
