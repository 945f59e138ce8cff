import { distributionOf } from '@plimsoll/advisories';
import type { HostChanges } from '@plimsoll/contract';
import type { HostToAssess, StoredPackageVersion } from '@plimsoll/db';
import { groupBy } from '@plimsoll/model';
import { compareKeys, versionKey } from '@plimsoll/versions';

type ChangedPackage = HostChanges['packages'][number];

/**
 * Packages that were added, removed or changed version between two snapshots of a host, by name and architecture. One of which only
 * other things are stored than before did not change.
 */
export function changedPackages(before: HostToAssess, after: HostToAssess): readonly ChangedPackage[] {
  const added = withoutBuildsOf(after, before);
  const arrivals = groupBy(added, keyOf);
  const gone = withoutBuildsOf(before, after);
  const changes = gone.map((from) => changed(from, arrivals.get(keyOf(from))?.shift() ?? null, after));
  const come = [...arrivals.values()].flat().map((to) => changed(null, to, after));
  return [...changes, ...come].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

/** The versions of one side without those whose build the other side has. */
function withoutBuildsOf(side: HostToAssess, other: HostToAssess): readonly StoredPackageVersion[] {
  const builds = new Set(other.packages.map(({ version }) => buildOf(version)));
  return side.packages.flatMap(({ version }) => (builds.has(buildOf(version)) ? [] : [version]));
}

function buildOf(version: StoredPackageVersion): string {
  return `${keyOf(version)}\0${version.version}`;
}

function changed(
  from: StoredPackageVersion | null,
  to: StoredPackageVersion | null,
  { release }: HostToAssess,
): ChangedPackage {
  const one = to ?? from;
  return {
    kind:
      from === null ? 'installed' : to === null ? 'removed' : directionOf(from.version, to.version, release),
    name: one?.name ?? '',
    architecture: one?.architecture ?? '',
    from_version: from?.version ?? null,
    to_version: to?.version ?? null,
  };
}

function directionOf(from: string, to: string, release: HostToAssess['release']): ChangedPackage['kind'] {
  const scheme = distributionOf(release)?.scheme;
  if (scheme === undefined) return 'replaced';
  const [a, b] = [versionKey(scheme, from), versionKey(scheme, to)];
  if (a.kind !== 'key' || b.kind !== 'key') return 'replaced';
  const order = compareKeys(a.key, b.key);
  return order < 0 ? 'upgraded' : order > 0 ? 'downgraded' : 'replaced';
}

function keyOf({ name, architecture }: { readonly name: string; readonly architecture: string }): string {
  return `${name}\0${architecture}`;
}

function orderOf(change: ChangedPackage): string {
  return `${keyOf(change)}\0${change.from_version ?? ''}\0${change.to_version ?? ''}`;
}
