import type { PackageSummary } from '@plimsoll/advisories';

/** Estimates in bytes. */
const bytesPerObject = 100;
const bytesPerSummary = 400;
const bytesPerOpening = 250;
const bytesPerCve = 60;
const bytesPerAdvisory = 8;
const bytesPerDueCve = 200;

/** The estimated size of a kernel statement that is found by a key. */
export function bytesOfKernelStatement(key: string): number {
  return 4 * key.length + bytesPerObject;
}

/** The estimated size of a summary, without its kernel statements, which others share. */
export function bytesOfSummary({
  name,
  version,
  openings,
  dues,
  kernel,
  livePatch,
  advisories,
}: PackageSummary): number {
  return (
    bytesPerSummary +
    2 * (name.length + version.length) +
    4 * advisories.length +
    openings.reduce(
      (sum, opening) => sum + bytesPerOpening + opening.advisories.length * bytesPerAdvisory,
      0,
    ) +
    (kernel?.statements.length ?? 0) * bytesPerAdvisory +
    (livePatch?.cves.length ?? 0) * bytesPerCve +
    (dues ?? []).reduce((sum, { cves }) => sum + bytesPerObject + cves.length * bytesPerDueCve, 0)
  );
}
