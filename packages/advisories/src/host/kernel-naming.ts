import type { Distribution } from '../distribution.ts';
import { parseKernelRelease } from '../kernel/kernel-release.ts';
import type { KernelNaming } from '../kernel/running-kernel.ts';

/** The kernel naming of a distribution; the naming of apt kernels by default. */
export function kernelNamingOf(distribution: Distribution | null): KernelNaming {
  return {
    flavourOf: (release) =>
      distribution?.kernelFlavourOf === undefined
        ? (parseKernelRelease(release)?.flavour ?? null)
        : distribution.kernelFlavourOf(release),
    releaseIsBuild: distribution?.kernelReleaseIsBuild === true,
  };
}
