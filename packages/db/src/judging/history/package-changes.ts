import { groupBy, type HostId, type PackageVersionId } from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import { rowTable } from '../../core/row-table.ts';
import { decodePackageSet, idsWithout } from '../../ingest/package-set.ts';

/**
 * SQL: the changes in a row of `package_changes`, as rows `c (name, architecture, from_id, to_id, n)` in their order. An
 * id is 0 where the package was not installed.
 */
export function changesIn(row: string): string {
  return `unnest(${row}.names, ${row}.architectures, ${row}.from_ids, ${row}.to_ids) WITH ORDINALITY
    AS c (name, architecture, from_id, to_id, n)`;
}

/**
 * SQL: the same without names, as rows `c (from_id, to_id, n)`: faster where few of a row's changes are wanted. Their
 * names are `names[c.n]` and `architectures[c.n]` of the row.
 */
export function changedIdsIn(row: string): string {
  return `unnest(${row}.from_ids, ${row}.to_ids) WITH ORDINALITY AS c (from_id, to_id, n)`;
}

/**
 * SQL: of changes with columns `from_id` and `to_id` those, as rows `(from_id, to_id)`, with which a host kept the same build: only what
 * else is stored of the package differs. Each pair is compared once: many hosts have the same changes.
 */
export function sameBuildsIn(changes: string): string {
  return `SELECT pair.from_id, pair.to_id FROM (SELECT DISTINCT from_id, to_id FROM ${changes} WHERE from_id <> 0 AND to_id <> 0) pair
    JOIN package_versions f ON f.id = pair.from_id JOIN package_versions t ON t.id = pair.to_id AND t.version = f.version`;
}

/** SQL: the versions in a row of `package_changes`, as its index has them. */
export function versionsIn(row: string): string {
  return `array_remove(${row}.from_ids || ${row}.to_ids, 0)`;
}

/** A snapshot with the packages of its host before and after it, as encoded package sets. */
export interface PackageStep {
  readonly hostId: HostId;
  readonly sequence: string;
  readonly receivedAt: Date;
  /** Null before its first snapshot. */
  readonly before: Uint8Array | null;
  readonly after: Uint8Array;
}

/** A package with its versions; 0: it was, or is, not installed. */
interface Change extends VersionName {
  readonly fromId: PackageVersionId | 0;
  readonly toId: PackageVersionId | 0;
}

interface VersionName {
  readonly name: string;
  readonly architecture: string;
}

type Build = VersionName & { readonly version: string };

/**
 * Stores which packages were added, removed or changed with each snapshot; nothing for a host's first one, and for one
 * without a change.
 */
export async function writePackageChanges(tx: PgTransaction, steps: readonly PackageStep[]): Promise<void> {
  const differences = steps.flatMap((step) =>
    step.before === null
      ? []
      : [{ step, ...difference(decodePackageSet(step.before), decodePackageSet(step.after)) }],
  );
  const names = await loadNames(tx, [
    ...new Set(differences.flatMap(({ gone, come }) => [...gone, ...come])),
  ]);
  const changed = differences
    .map(({ step, gone, come }) => ({ step, changes: pairUp(gone, come, names) }))
    .filter(({ changes }) => changes.length > 0);
  if (changed.length === 0) return;
  const { table, columns, values } = rowTable(
    'host_id uuid, sequence bigint, at timestamptz, names text[], architectures text[], from_ids int[], to_ids int[]',
    changed.map(({ step, changes }) => ({
      at: step.receivedAt,
      names: changes.map(({ name }) => name),
      architectures: changes.map(({ architecture }) => architecture),
      fromIds: changes.map(({ fromId }) => fromId),
      toIds: changes.map(({ toId }) => toId),
      ...step,
    })),
  );
  await tx.query(`INSERT INTO package_changes (${columns}) SELECT * FROM ${table} n`, values);
}

function difference(
  before: readonly PackageVersionId[],
  after: readonly PackageVersionId[],
): { gone: PackageVersionId[]; come: PackageVersionId[] } {
  return { gone: idsWithout(before, after), come: idsWithout(after, before) };
}

async function loadNames(
  tx: PgTransaction,
  ids: readonly PackageVersionId[],
): Promise<ReadonlyMap<PackageVersionId, Build>> {
  if (ids.length === 0) return new Map();
  const { rows } = await tx.query<Build & { id: PackageVersionId }>(
    'SELECT id, name, architecture, version FROM package_versions WHERE id = ANY($1::int[])',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row] as const));
}

/** Joins a removed and an added version of the same name and architecture into one change: first those of the same build. */
function pairUp(
  gone: readonly PackageVersionId[],
  come: readonly PackageVersionId[],
  names: ReadonlyMap<PackageVersionId, Build>,
): Change[] {
  const builds = groupBy(come, (id) => buildKey(names.get(id)));
  const same = new Map(
    gone.flatMap((fromId) => {
      const toId = builds.get(buildKey(names.get(fromId)))?.shift();
      return toId === undefined ? [] : [[fromId, toId] as const];
    }),
  );
  const paired = new Set(same.values());
  const others = come.filter((id) => !paired.has(id));
  const arrivals = groupBy(others, (id) => nameKey(names.get(id)));
  const moves = [
    ...gone.map((fromId) => ({
      fromId,
      toId: same.get(fromId) ?? arrivals.get(nameKey(names.get(fromId)))?.shift() ?? (0 as const),
    })),
    ...[...arrivals.values()].flat().map((toId) => ({ fromId: 0 as const, toId })),
  ];
  return moves.map(({ fromId, toId }) => {
    const id = toId === 0 ? fromId : toId;
    const name = id === 0 ? undefined : names.get(id);
    return { fromId, toId, name: name?.name ?? '', architecture: name?.architecture ?? '' };
  });
}

function buildKey(build: Build | undefined): string {
  return `${nameKey(build)}\0${build?.version ?? ''}`;
}

function nameKey(name: VersionName | undefined): string {
  return `${name?.name ?? ''}\0${name?.architecture ?? ''}`;
}
