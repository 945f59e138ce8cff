import type { PackageVersion } from '@plimsoll/model';
import { kernelOf } from '../kernel/running-kernel.ts';
import type { HostPackage, HostPackages } from './question.ts';

/** An installed package with the package that is judged in its place: for a kernel the running one. */
export interface AskedPackage<P extends HostPackage> {
  readonly installed: P;
  readonly judged: P;
}

/**
 * The packages of a host with a name, or else those with this source or match name. The kernel that really runs
 * replaces the installed one.
 */
export function packagesAsked<P extends HostPackage>(
  host: HostPackages<P>,
  name: string,
): readonly AskedPackage<P>[] {
  const all = askable(host);
  const named = all.filter(({ judged }) => judged.version.name === name);
  if (named.length > 0) return named;
  return all.filter(({ judged: { version } }) => version.sourceName === name || version.matchName === name);
}

function askable<P extends HostPackage>({
  packages,
  runningKernel,
}: HostPackages<P>): readonly AskedPackage<P>[] {
  const asked = packages.map((installed) => ({ installed, judged: installed }));
  if (runningKernel === null) return asked;
  const { name, architecture } = runningKernel.version;
  // On rpm other kernels share its name. Only an installed kernel of the running release was replaced on disk.
  const replaced = asked.findIndex(
    ({ installed: { version } }) =>
      version.name === name &&
      version.architecture === architecture &&
      bootRelease(version) === bootRelease(runningKernel.version),
  );
  if (replaced === -1) return [...asked, { installed: runningKernel, judged: runningKernel }];
  return asked.map((entry, index) =>
    index === replaced ? { installed: entry.installed, judged: runningKernel } : entry,
  );
}

/** The `uname -r` that a kernel boots as; null for every other package. */
function bootRelease(version: PackageVersion): string | null {
  return kernelOf(version)?.release ?? null;
}
