import type { PackageVersionId } from '@plimsoll/model';

/** The rule: in a group of at least this many hosts … */
export const leastAlike = 5;
/** … a state of a package is common if at least this share of the hosts has it. */
export const commonShare = 0.9;

/** Hosts with equal packages. */
export interface AlikeSet {
  /** Ascending. */
  readonly ids: readonly PackageVersionId[];
  /** The number of hosts. At least 1. */
  readonly hosts: number;
}

/** How hosts with equal packages differ from the others. */
export interface SetDifferences {
  /** Common versions that they do not have, ascending. */
  readonly lacks: readonly PackageVersionId[];
  /** Versions that they have and that at most one host in ten of the group has, ascending. */
  readonly rare: readonly PackageVersionId[];
}

/** What is common in a group, and how its sets differ. */
export interface GroupDifferences {
  /** The number of hosts with each common version. */
  readonly common: ReadonlyMap<PackageVersionId, number>;
  /** In the order of the sets. */
  readonly differences: readonly SetDifferences[];
}

/**
 * The package versions that nearly all hosts have, and how each distinct set differs from that; null for fewer than
 * `leastAlike` hosts. Takes time by the sizes of the distinct sets, not by the number of hosts.
 */
export function groupDifferences(sets: readonly AlikeSet[]): GroupDifferences | null {
  const total = sets.reduce((sum, { hosts }) => sum + hosts, 0);
  if (total < leastAlike) return null;
  const counts = new Map<PackageVersionId, number>();
  for (const { ids, hosts } of sets) for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + hosts);
  const common = new Map([...counts].filter(([, hosts]) => hosts >= commonShare * total));
  // Without rounding errors of a subtraction from 1.
  const isRare = (hosts: number) => total - hosts >= commonShare * total;
  const wanted = [...common.keys()].sort((a, b) => a - b);
  const differences = sets.map(({ ids }) => ({
    lacks: missingIn(ids, wanted),
    rare: ids.filter((id) => isRare(counts.get(id) ?? 0)),
  }));
  return { common, differences };
}

/** What of `wanted` is not in a set; both ascending. */
function missingIn(
  ids: readonly PackageVersionId[],
  wanted: readonly PackageVersionId[],
): readonly PackageVersionId[] {
  let n = 0;
  return wanted.filter((id) => {
    while (n < ids.length && (ids[n] ?? id) < id) n += 1;
    return ids[n] !== id;
  });
}
