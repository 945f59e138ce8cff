import { isSameKernel, kernelOf } from '@plimsoll/advisories';
import { groupBy, type PackageVersion, type PackageVersionId } from '@plimsoll/model';
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

/** The time in which a part was installed and its kernel ran; null if there is none. Of two causes at one time the boot counts. */
function common(part: Stay, boot: Stay): Stay | null {
  const isInstalledLast = part.from > boot.from;
  const isRemovedFirst = part.until !== null && (boot.until === null || part.until < boot.until);
  const from = isInstalledLast ? part.from : boot.from;
  const until = isRemovedFirst ? part.until : boot.until;
  if (until !== null && until <= from) return null;
  const causeOf = (ofPackage: boolean) => (ofPackage ? 'package_changed' : 'kernel_booted');
  const causes = { from: causeOf(isInstalledLast), until: causeOf(isRemovedFirst) } as const;
  return { versionId: part.versionId, from, until, causes };
}
