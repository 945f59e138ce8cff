const epoch = /^(\d+):/;

/**
 * Versions to show side by side, with an epoch on all or on none of them. A missing epoch is 0 in both version schemes,
 * so `0:` is left out unless a version has another epoch. Null stays null.
 */
export function alignEpochs<const Versions extends readonly (string | null)[]>(versions: Versions): Versions {
  const needsEpoch = versions.some((version) => epochOf(version) > 0);
  return versions.map((version) => {
    if (version === null) return null;
    if (needsEpoch) return epoch.test(version) ? version : `0:${version}`;
    return version.replace(epoch, '');
  }) as unknown as Versions; // the same length, each text or null as before
}

function epochOf(version: string | null): number {
  return Number(epoch.exec(version ?? '')?.[1] ?? 0);
}
