import { groupBy, type HostId, type PackageVersionId } from '@plimsoll/model';
import type { PgTransaction } from '../connection/pg-transaction.ts';
import { decodePackageSet } from '../interning/package-set.ts';
import type { CountableSnapshot } from './host-counter.ts';

/** The snapshot that a host's state was last written from. */
export interface PriorState {
  readonly sequence: bigint;
  /** The encoded package set; null before the first snapshot. */
  readonly ids: Uint8Array | null;
}

interface Change {
  readonly hostId: HostId;
  readonly sequence: string;
  readonly n: number;
  readonly name: string;
  readonly architecture: string;
  readonly at: Date;
  readonly fromId: PackageVersionId | null;
  readonly toId: PackageVersionId | null;
}

interface VersionName {
  readonly name: string;
  readonly architecture: string;
}

/**
 * Stores which packages were added, removed or changed since each host's previous snapshot; nothing for its first one.
 */
export async function writePackageChanges(
  tx: PgTransaction,
  snapshots: readonly CountableSnapshot[],
  prior: ReadonlyMap<HostId, PriorState>,
): Promise<void> {
  const differences = snapshots.flatMap((snapshot) => {
    const before = prior.get(snapshot.hostId)?.ids;
    return before == null
      ? []
      : [{ snapshot, ...difference(decodePackageSet(before), decodePackageSet(snapshot.ids)) }];
  });
  const names = await loadNames(tx, [
    ...new Set(differences.flatMap(({ gone, come }) => [...gone, ...come])),
  ]);
  const changes = differences.flatMap(({ snapshot, gone, come }) => pairUp(snapshot, gone, come, names));
  if (changes.length === 0) return;
  await tx.query(
    `INSERT INTO package_changes (host_id, sequence, n, name, architecture, at, from_id, to_id)
     SELECT * FROM unnest($1::uuid[], $2::bigint[], $3::int[], $4::text[], $5::text[], $6::timestamptz[], $7::int[],
                          $8::int[])`,
    [
      changes.map((change) => change.hostId),
      changes.map((change) => change.sequence),
      changes.map((change) => change.n),
      changes.map((change) => change.name),
      changes.map((change) => change.architecture),
      changes.map((change) => change.at),
      changes.map((change) => change.fromId),
      changes.map((change) => change.toId),
    ],
  );
}

function difference(
  before: readonly PackageVersionId[],
  after: readonly PackageVersionId[],
): { gone: PackageVersionId[]; come: PackageVersionId[] } {
  const had = new Set(before);
  const has = new Set(after);
  return { gone: before.filter((id) => !has.has(id)), come: after.filter((id) => !had.has(id)) };
}

async function loadNames(
  tx: PgTransaction,
  ids: readonly PackageVersionId[],
): Promise<ReadonlyMap<PackageVersionId, VersionName>> {
  if (ids.length === 0) return new Map();
  const { rows } = await tx.query<VersionName & { id: PackageVersionId }>(
    'SELECT id, name, architecture FROM package_versions WHERE id = ANY($1::int[])',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row] as const));
}

/** Joins a removed and an added version of the same name and architecture into one change. */
function pairUp(
  snapshot: CountableSnapshot,
  gone: readonly PackageVersionId[],
  come: readonly PackageVersionId[],
  names: ReadonlyMap<PackageVersionId, VersionName>,
): Change[] {
  const arrivals = groupBy(come, (id) => nameKey(names.get(id)));
  const moves = [
    ...gone.map((fromId) => ({ fromId, toId: arrivals.get(nameKey(names.get(fromId)))?.shift() ?? null })),
    ...[...arrivals.values()].flat().map((toId) => ({ fromId: null, toId })),
  ];
  return moves.map((move, n) => {
    const id = move.toId ?? move.fromId;
    const name = id === null ? undefined : names.get(id);
    return {
      hostId: snapshot.hostId,
      sequence: snapshot.sequence,
      n,
      name: name?.name ?? '',
      architecture: name?.architecture ?? '',
      at: snapshot.receivedAt,
      ...move,
    };
  });
}

function nameKey(name: VersionName | undefined): string {
  return `${name?.name ?? ''}\0${name?.architecture ?? ''}`;
}
