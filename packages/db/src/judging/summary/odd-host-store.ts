import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HostId, HostScope, PackageVersionId, Release } from '@plimsoll/model';
import { compareText, groupBy } from '@plimsoll/model';
import type { Database } from '../../core/database.ts';
import { hostSelection } from '../../fleet/hosts/host-selection.ts';
import { judgeDue } from '../../fleet/hosts/judge-due.ts';
import type { HostFilters } from '../../fleet/hosts/query.ts';
import { decodePackageSet } from '../../ingest/package-set.ts';
import { type AlikeSet, type GroupDifferences, groupDifferences } from './odd-ones-out.ts';

/** How a package of a host differs from nearly all others. */
export interface OddPackage {
  /** `missing`: nearly all have it, the host does not. `extra`: nearly none has it, the host does. */
  readonly kind: 'other_version' | 'missing' | 'extra';
  readonly name: string;
  readonly architecture: string;
  /** What the host has; null: nothing. */
  readonly version: string | null;
  /** What nearly all have; null: nothing. */
  readonly commonVersion: string | null;
}

/** A host that differs from its group. */
export interface OddHost {
  readonly id: HostId;
  readonly displayName: string;
  /** By name and architecture: other versions first, then missing ones, then extra ones. */
  readonly packages: readonly OddPackage[];
}

/** A package that nearly all hosts have in the same version. */
export interface CommonPackage {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  /** The hosts that have this version, and those that do not. */
  readonly hosts: number;
  readonly others: number;
}

/** The hosts of one release in a group. */
export interface ReleaseOddities {
  readonly release: Release;
  readonly hosts: number;
  /** Hosts that differ, the most different first, then by name; up to a limit. Null: there are too few hosts to tell. */
  readonly odd: readonly OddHost[] | null;
  /** The number of all hosts that differ; zero if there are too few. */
  readonly oddHosts: number;
  /** Common packages that some host lacks, those with the fewest such hosts first; up to a limit. */
  readonly common: readonly CommonPackage[];
}

/** Which hosts of a selection differ from the others. */
export interface Oddities {
  /** Approved hosts that filters select. */
  readonly hosts: number;
  /** Of them, those without a report: nothing is known of their packages. */
  readonly unreported: number;
  /** Hosts that were left out, because the selection has too many distinct sets of packages. */
  readonly leftOut: number;
  /** The releases with the most hosts first. */
  readonly releases: readonly ReleaseOddities[];
}

/** Finds the hosts that differ from their group. */
export interface OddHostStore {
  /** @param limit of hosts and of packages for each release */
  find(scope: HostScope, filters: HostFilters, limit: number): Promise<Oddities>;
}

/** Distinct sets that are compared: about a kilobyte each. */
const mostSets = 20_000;
const setsPerRead = 1_000;

/** The store of one database. */
export function createOddHostStore(database: Database): OddHostStore {
  const { pool } = database;
  return {
    async find(scope, filters, limit) {
      const selected = await selectSets(database, scope, filters);
      const sets = await uniteVersions(pool, await readSets(pool, selected.bySet));
      const releases: ReleaseOddities[] = [];
      for (const some of groupBy(sets, ({ releaseId }) => releaseId).values()) {
        const found = groupDifferences(some);
        releases.push(await describe(pool, some, found, limit));
        await nextTurn();
      }
      releases.sort((a, b) => b.hosts - a.hosts || compareText(a.release, b.release));
      const { hosts, unreported, leftOut } = selected;
      return { hosts, unreported, leftOut, releases };
    },
  };
}

interface NamedHost {
  readonly id: HostId;
  readonly displayName: string;
}

/** The hosts of a set in a release. */
interface SelectedSet {
  readonly setId: number;
  readonly releaseId: number;
  readonly release: Release;
  readonly named: readonly NamedHost[];
}

async function selectSets(database: Database, scope: HostScope, filters: HostFilters) {
  await judgeDue(database);
  const { from, where, values } = hostSelection(scope, { ...filters, approvalStatus: 'approved' });
  const { rows } = await database.pool.query<
    NamedHost & Omit<SelectedSet, 'named' | 'setId'> & { readonly setId: number | null }
  >(
    `SELECT h.id, h.display_name AS "displayName", s.set_id AS "setId", s.release_id AS "releaseId", r.name AS release
     FROM ${from} LEFT JOIN releases r ON r.id = s.release_id WHERE ${where} ORDER BY h.id`,
    values,
  );
  const found = new Map<string, SelectedSet & { readonly named: NamedHost[] }>();
  let unreported = 0;
  let leftOut = 0;
  for (const { id, displayName, setId, releaseId, release } of rows) {
    if (setId === null) {
      unreported += 1;
      continue;
    }
    const key = `${releaseId} ${setId}`;
    const known = found.get(key);
    if (known === undefined && found.size >= mostSets) {
      leftOut += 1;
      continue;
    }
    const set = known ?? { setId, releaseId, release, named: [] };
    found.set(key, set);
    set.named.push({ id, displayName });
  }
  return { hosts: rows.length, unreported, leftOut, bySet: [...found.values()] };
}

type ReadSet = SelectedSet & AlikeSet;

async function readSets(pool: Database['pool'], wanted: readonly SelectedSet[]): Promise<readonly ReadSet[]> {
  const read: ReadSet[] = [];
  for (let n = 0; n < wanted.length; n += setsPerRead) {
    const some = wanted.slice(n, n + setsPerRead);
    const { rows } = await pool.query<{ id: number; ids: Uint8Array }>(
      'SELECT id, ids FROM package_sets WHERE id = ANY($1::int[])',
      [some.map(({ setId }) => setId)],
    );
    const idsOf = new Map(rows.map(({ id, ids }) => [id, decodePackageSet(ids)]));
    for (const set of some) {
      const ids = idsOf.get(set.setId);
      // Deleted since the hosts were read: their newer sets are in the next answer.
      if (ids !== undefined) read.push({ ...set, ids, hosts: set.named.length });
    }
    await nextTurn();
  }
  return read;
}

/**
 * The same sets with one id for each version of a package: the versions of hosts that follow other lines of builds have
 * ids of their own, although they are the same to a reader.
 */
async function uniteVersions(pool: Database['pool'], sets: readonly ReadSet[]): Promise<readonly ReadSet[]> {
  const all = new Set<PackageVersionId>();
  for (const { ids } of sets) for (const id of ids) all.add(id);
  const { rows } = await pool.query<{ id: PackageVersionId; first: PackageVersionId }>(
    `SELECT id, first FROM (
       SELECT id, min(id) OVER (PARTITION BY release_id, name, architecture, version) AS first
       FROM package_versions WHERE id = ANY($1::int[])) v WHERE id <> first`,
    [[...all]],
  );
  if (rows.length === 0) return sets;
  const firstOf = new Map(rows.map(({ id, first }) => [id, first]));
  return sets.map((set) => ({
    ...set,
    ids: [...new Set(set.ids.map((id) => firstOf.get(id) ?? id))].sort((a, b) => a - b),
  }));
}

interface NamedVersion {
  readonly id: PackageVersionId;
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
}

async function describe(
  pool: Database['pool'],
  sets: readonly ReadSet[],
  found: GroupDifferences | null,
  limit: number,
): Promise<ReleaseOddities> {
  const release = sets[0]?.release ?? ('' as Release); // Groups are not empty.
  const hosts = sets.reduce((sum, set) => sum + set.hosts, 0);
  if (found === null) return { release, hosts, odd: null, oddHosts: 0, common: [] };
  const amount = ({ lacks, rare }: GroupDifferences['differences'][number]) =>
    Math.max(lacks.length, rare.length);
  const odd = sets
    .flatMap((set, n) => {
      const differences = found.differences[n];
      return differences === undefined || amount(differences) === 0 ? [] : [{ set, differences }];
    })
    .sort((a, b) => amount(b.differences) - amount(a.differences) || a.set.setId - b.set.setId);
  const shown = odd.slice(0, limit);
  const partly = [...found.common].filter(([, having]) => having < hosts);
  partly.sort(([a, x], [b, y]) => y - x || a - b);
  const common = partly.slice(0, limit);
  const names = await loadNames(pool, [
    ...common.map(([id]) => id),
    ...shown.flatMap(({ differences: { lacks, rare } }) => [...lacks, ...rare]),
  ]);
  return {
    release,
    hosts,
    oddHosts: odd.reduce((sum, { set }) => sum + set.hosts, 0),
    odd: shown
      .flatMap(({ set, differences }) => {
        const packages = oddPackages(differences, names);
        return set.named.map((host) => ({ ...host, packages }));
      })
      .sort((a, b) => b.packages.length - a.packages.length || compareText(a.displayName, b.displayName))
      .slice(0, limit),
    common: common.flatMap(([id, having]) => {
      const version = names.get(id);
      return version === undefined
        ? []
        : [
            {
              name: version.name,
              architecture: version.architecture,
              version: version.version,
              hosts: having,
              others: hosts - having,
            },
          ];
    }),
  };
}

async function loadNames(
  pool: Database['pool'],
  ids: readonly PackageVersionId[],
): Promise<ReadonlyMap<PackageVersionId, NamedVersion>> {
  const { rows } = await pool.query<NamedVersion>(
    'SELECT id, name, architecture, version FROM package_versions WHERE id = ANY($1::int[])',
    [[...new Set(ids)]],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

const kinds: readonly OddPackage['kind'][] = ['other_version', 'missing', 'extra'];

/** The differences of a set as packages: a rare version beside a common one of the same package is another version. */
function oddPackages(
  { lacks, rare }: GroupDifferences['differences'][number],
  names: ReadonlyMap<PackageVersionId, NamedVersion>,
): readonly OddPackage[] {
  const named = (ids: readonly PackageVersionId[]) => ids.flatMap((id) => names.get(id) ?? []);
  const keyOf = ({ name, architecture }: NamedVersion) => `${name}\0${architecture}`;
  const own = groupBy(named(rare), keyOf);
  const missing = named(lacks).map((common): OddPackage => {
    const { name, architecture, version: commonVersion } = common;
    const version = own.get(keyOf(common))?.shift()?.version ?? null;
    return {
      kind: version === null ? 'missing' : 'other_version',
      name,
      architecture,
      version,
      commonVersion,
    };
  });
  const extra = [...own.values()].flat().map(
    ({ name, architecture, version }): OddPackage => ({
      kind: 'extra',
      name,
      architecture,
      version,
      commonVersion: null,
    }),
  );
  return [...missing, ...extra].sort(
    (a, b) =>
      kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
      compareText(a.name, b.name) ||
      compareText(a.architecture, b.architecture),
  );
}
