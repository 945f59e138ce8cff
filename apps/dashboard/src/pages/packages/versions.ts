import type { PackageHost } from '@plimsoll/contract';

/** A version of a package, with its number of hosts across architectures. */
export interface VersionCount {
  readonly version: string;
  readonly hosts: number;
  /** Whether it could not be compared with the requested version. */
  readonly isUncompared: boolean;
}

/** The versions on hosts; most hosts first, then by version. */
export function countVersions(rows: readonly PackageHost[]): readonly VersionCount[] {
  const counts = new Map<string, { hosts: number; isUncompared: boolean }>();
  for (const { packages } of rows) {
    const uncompared = new Set(
      packages.filter(({ comparison }) => comparison === 'unknown').map(({ version }) => version),
    );
    for (const version of new Set(packages.map((installed) => installed.version))) {
      const count = counts.get(version) ?? { hosts: 0, isUncompared: false };
      counts.set(version, {
        hosts: count.hosts + 1,
        isUncompared: count.isUncompared || uncompared.has(version),
      });
    }
  }
  return [...counts]
    .map(([version, count]) => ({ version, ...count }))
    .sort((one, other) => other.hosts - one.hosts || (one.version < other.version ? -1 : 1));
}

/** The hosts with a version, each with only its packages of that version; all hosts without a version. */
export function hostsWithVersion(
  rows: readonly PackageHost[],
  version: string | undefined,
): readonly PackageHost[] {
  if (version === undefined) return rows;
  return rows.flatMap((host) => {
    const packages = host.packages.filter((installed) => installed.version === version);
    return packages.length === 0 ? [] : [{ ...host, packages }];
  });
}
