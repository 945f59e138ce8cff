/** A package name and the number of approved hosts that have it installed. */
export interface PackageName {
  readonly name: string;
  readonly hosts: number;
}

/**
 * The names that contain a text, ignoring case: first the exact name, then names that begin with the text, then the
 * others. Within each, names on more hosts come first. @param packages the names, each with its number of hosts.
 */
export function rankPackageNames(
  packages: Iterable<readonly [name: string, hosts: number]>,
  part: string,
  limit: number,
): readonly PackageName[] {
  const wanted = part.toLowerCase();
  const found = [...packages].flatMap(([name, hosts]) => {
    const lower = name.toLowerCase();
    const at = lower.indexOf(wanted);
    return at === -1 ? [] : [{ name, hosts, rank: lower === wanted ? 0 : at === 0 ? 1 : 2 }];
  });
  found.sort((a, b) => a.rank - b.rank || b.hosts - a.hosts || (a.name < b.name ? -1 : 1));
  return found.slice(0, limit).map(({ name, hosts }) => ({ name, hosts }));
}
