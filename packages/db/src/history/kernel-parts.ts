import { groupBy, type PackageVersion, type PackageVersionId } from '@plimsoll/model';
import { isSameKernel, kernelOf } from './version-advisories.ts';
import { packageKey, type Stay, type VersionChain } from './version-chains.ts';

/**
 * The parts of kernels while they were installed and their kernel ran, by package (packageKey): only then they have
 * findings.
 * @param parts the stays of parts of kernels.
 * @param booted the chains of the running kernel.
 * @param versions every version of both.
 */
export function partChains(
  parts: readonly Stay[],
  booted: readonly VersionChain[],
  versions: ReadonlyMap<PackageVersionId, PackageVersion>,
): ReadonlyMap<string, VersionChain> {
  const boots = booted.flatMap(({ stays }) => stays);
  const ran = parts.flatMap((part) => {
    const own = kernelOf(versions.get(part.versionId));
    return boots.flatMap((boot) =>
      isSameKernel(own, kernelOf(versions.get(boot.versionId))) ? (common(part, boot) ?? []) : [],
    );
  });
  const byPackage = groupBy(ran, ({ versionId }) => {
    const version = versions.get(versionId);
    return version === undefined ? '' : packageKey(version);
  });
  return new Map(
    [...byPackage].map(([key, stays]) => [
      key,
      { kind: 'booted', stays: stays.toSorted((a, b) => a.from.getTime() - b.from.getTime()) },
    ]),
  );
}

/** The time in which a part was installed and its kernel ran; null if there is none. */
function common(part: Stay, boot: Stay): Stay | null {
  const from = part.from > boot.from ? part.from : boot.from;
  const ends = [part.until, boot.until].filter((end) => end !== null);
  const until = ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end.getTime())));
  return until !== null && until <= from ? null : { versionId: part.versionId, from, until };
}
