import { groupBy, type HostId, type PackageVersionId } from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import { decodePackageSet } from '../../ingest/package-set.ts';
import type { StateDifference } from './state-difference.ts';

interface PastSnapshot {
  readonly hostId: HostId;
  readonly sequence: string;
  readonly receivedAt: Date;
  readonly setId: number;
}

/** The changes of packages that came with a snapshot; an id is 0 where a package was not installed. */
interface Changes {
  readonly hostId: HostId;
  readonly sequence: string;
  readonly fromIds: readonly (PackageVersionId | 0)[];
  readonly toIds: readonly (PackageVersionId | 0)[];
}

/**
 * Checks that the stored changes of packages lead from each stored snapshot of hosts to the next one. Leaves out snapshots
 * that an older version may have left out of the past: those without an upload from before that was mended.
 */
export async function compareChanges(
  client: PgTransaction,
  hosts: readonly HostId[],
): Promise<readonly StateDifference[]> {
  const { rows: snapshots } = await client.query<PastSnapshot>(
    `SELECT s.host_id AS "hostId", s.sequence, s.received_at AS "receivedAt", s.set_id AS "setId"
     FROM host_state hs JOIN snapshots s ON s.host_id = hs.host_id AND s.sequence <= hs.sequence
     LEFT JOIN uploads u ON u.id = s.id CROSS JOIN history_bounds b
     WHERE hs.host_id = ANY($1::uuid[]) AND u.state IS DISTINCT FROM 'parsed'
       AND (u.id IS NOT NULL OR s.received_at >= b.past_whole_from OR s.id = hs.snapshot_id)
     ORDER BY s.host_id, s.sequence`,
    [hosts],
  );
  const { rows: changes } = await client.query<Changes>(
    `SELECT host_id AS "hostId", sequence, from_ids AS "fromIds", to_ids AS "toIds" FROM package_changes
     WHERE host_id = ANY($1::uuid[]) ORDER BY host_id, sequence`,
    [hosts],
  );
  const { rows: sets } = await client.query<{ id: number; ids: Uint8Array }>(
    'SELECT id, ids FROM package_sets WHERE id = ANY($1::int[])',
    [[...new Set(snapshots.map(({ setId }) => setId))]],
  );
  const setOf = new Map(sets.map(({ id, ids }) => [id, ids]));
  const changesOf = groupBy(changes, ({ hostId }) => hostId);
  return [...groupBy(snapshots, ({ hostId }) => hostId)].flatMap(([hostId, own]) =>
    differencesOf(own, changesOf.get(hostId) ?? [], setOf),
  );
}

/** @param snapshots of one host, as its changes: the oldest first. */
function differencesOf(
  snapshots: readonly PastSnapshot[],
  changes: readonly Changes[],
  setOf: ReadonlyMap<number, Uint8Array>,
): StateDifference[] {
  const found: StateDifference[] = [];
  let at = 0;
  for (const [index, { hostId, sequence, receivedAt, setId }] of snapshots.entries()) {
    const last = BigInt(sequence);
    const first = at;
    while (at < changes.length && BigInt(changes[at]?.sequence ?? 0) <= last) at += 1;
    const before = snapshots[index - 1];
    if (before === undefined) continue;
    const between = changes.slice(first, at);
    if (leads(between, contentOf(before, setOf), contentOf({ setId }, setOf))) continue;
    const detail = `The changes of packages do not lead from the report of ${before.receivedAt.toISOString()} to that of ${receivedAt.toISOString()}.`;
    found.push({ hostId, what: 'ledger', detail });
  }
  return found;
}

function contentOf(
  { setId }: Pick<PastSnapshot, 'setId'>,
  setOf: ReadonlyMap<number, Uint8Array>,
): readonly PackageVersionId[] {
  return decodePackageSet(setOf.get(setId) ?? new Uint8Array());
}

function leads(
  changes: readonly Changes[],
  before: readonly PackageVersionId[],
  after: readonly PackageVersionId[],
): boolean {
  const content = new Set<number>(before);
  for (const { fromIds, toIds } of changes) {
    for (const id of fromIds) if (id !== 0 && !content.delete(id)) return false;
    for (const id of toIds) if (id !== 0) content.add(id);
  }
  return content.size === after.length && after.every((id) => content.has(id));
}
