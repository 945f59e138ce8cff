import { groupBy, type HostId, type PackageVersionId } from '@plimsoll/model';
import type { Statements } from '../connection/transaction.ts';
import { decodePackageSet } from '../interning/package-set.ts';
import type { StateDifference } from './state-difference.ts';

interface PastSnapshot {
  readonly hostId: HostId;
  readonly sequence: string;
  readonly receivedAt: Date;
  readonly ids: Uint8Array;
}

/** The changes of packages that came with a snapshot; an id is 0 where a package was not installed. */
interface Changes {
  readonly hostId: HostId;
  readonly sequence: string;
  readonly fromIds: readonly (PackageVersionId | 0)[];
  readonly toIds: readonly (PackageVersionId | 0)[];
}

/** Checks that the stored changes of packages lead from each stored snapshot of hosts to the next one. */
export async function compareChanges(
  client: Statements,
  hosts: readonly HostId[],
): Promise<readonly StateDifference[]> {
  const { rows: snapshots } = await client.query<PastSnapshot>(
    `SELECT s.host_id AS "hostId", s.sequence, s.received_at AS "receivedAt", ps.ids
     FROM host_state hs JOIN snapshots s ON s.host_id = hs.host_id AND s.sequence <= hs.sequence
     JOIN package_sets ps ON ps.id = s.set_id
     WHERE hs.host_id = ANY($1::uuid[]) AND NOT EXISTS (SELECT FROM uploads u WHERE u.id = s.id AND u.state = 'parsed')
     ORDER BY s.host_id, s.sequence`,
    [hosts],
  );
  const { rows: changes } = await client.query<Changes>(
    `SELECT host_id AS "hostId", sequence, from_ids AS "fromIds", to_ids AS "toIds" FROM package_changes
     WHERE host_id = ANY($1::uuid[]) ORDER BY host_id, sequence`,
    [hosts],
  );
  const changesOf = groupBy(changes, ({ hostId }) => hostId);
  return [...groupBy(snapshots, ({ hostId }) => hostId)].flatMap(([hostId, own]) =>
    differencesOf(own, changesOf.get(hostId) ?? []),
  );
}

/** @param snapshots of one host, as its changes: the oldest first. */
function differencesOf(snapshots: readonly PastSnapshot[], changes: readonly Changes[]): StateDifference[] {
  const found: StateDifference[] = [];
  for (const [index, { hostId, sequence, receivedAt, ids }] of snapshots.entries()) {
    const before = snapshots[index - 1];
    if (before === undefined) continue;
    const [first, last] = [BigInt(before.sequence), BigInt(sequence)];
    const between = changes.filter(({ sequence: each }) => BigInt(each) > first && BigInt(each) <= last);
    if (leads(between, decodePackageSet(before.ids), decodePackageSet(ids))) continue;
    const detail = `The changes of packages do not lead from the report of ${before.receivedAt.toISOString()} to that of ${receivedAt.toISOString()}.`;
    found.push({ hostId, what: 'ledger', detail });
  }
  return found;
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
