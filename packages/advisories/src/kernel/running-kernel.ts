import type { KernelFacts } from '@plimsoll/model';
import { compareText } from '@plimsoll/model';
import { isContainer } from './is-container.ts';

/** An installed package that boots a kernel. */
export interface KernelPackage {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly release: string;
  readonly flavour: string;
}

/** Which installed kernel runs. */
export type RunningKernel<Image extends KernelPackage> =
  | { readonly kind: 'none'; readonly reason: NoRunningKernel }
  /** `confirmed`: the running kernel names the installed version; otherwise it names none. */
  | { readonly kind: 'installed'; readonly image: Image; readonly confirmed: boolean }
  /** The package of the running release now has another version than the one that runs. */
  | { readonly kind: 'replaced'; readonly image: Image; readonly version: string }
  /** The running release is not installed any more; `like` is a kernel of its flavour that is. */
  | { readonly kind: 'removed'; readonly like: Image; readonly version: string };

/** `not_stated`: the host does not say what it runs. `from_outside`: what runs is no installed package. */
export type NoRunningKernel = 'container' | 'not_stated' | 'no_kernel_package' | 'from_outside';

/** How the kernels of a distribution name themselves. */
export interface KernelNaming {
  /** The flavour in a `uname -r`; null where it has none. */
  flavourOf(kernelRelease: string): string | null;
  /** Whether one `uname -r` is one build: then an installed kernel of the running release is what runs. */
  readonly releaseIsBuild: boolean;
}

/** Where to look for the running kernel. `namedVersion`: what the kernel itself says of its package version. */
export interface RunningKernelQuery<Image extends KernelPackage> extends KernelNaming {
  readonly images: readonly Image[];
  readonly kernel: KernelFacts;
  readonly virtualization: string;
  readonly namedVersion: string | null;
}

/**
 * Finds the running kernel among the installed ones, of which several may have one name. Does not depend on the order of
 * `images`.
 */
export function findRunningKernel<Image extends KernelPackage>(
  query: RunningKernelQuery<Image>,
): RunningKernel<Image> {
  const { kernel, namedVersion } = query;
  if (isContainer(query.virtualization)) return { kind: 'none', reason: 'container' };
  if (query.images.length === 0) return { kind: 'none', reason: 'no_kernel_package' };
  if (kernel.runningRelease === '') return { kind: 'none', reason: 'not_stated' };
  const images = [...query.images].sort(
    (a, b) =>
      compareText(a.name, b.name) ||
      compareText(a.architecture, b.architecture) ||
      compareText(a.version, b.version),
  );
  const booting = images.filter(({ release }) => release === kernel.runningRelease);
  const image =
    booting.find(({ name, version }) => name === kernel.runningPackage && version === namedVersion) ??
    booting.find(({ version }) => version === namedVersion) ??
    booting.find(({ name }) => name === kernel.runningPackage) ??
    booting[0];
  if (image !== undefined) {
    if (query.releaseIsBuild) return { kind: 'installed', image, confirmed: true };
    if (namedVersion === null) return { kind: 'installed', image, confirmed: false };
    if (image.version === namedVersion) return { kind: 'installed', image, confirmed: true };
    return { kind: 'replaced', image, version: namedVersion };
  }
  const flavour = query.flavourOf(kernel.runningRelease);
  const like = images.find((other) => other.flavour === flavour);
  if (like === undefined || namedVersion === null) return { kind: 'none', reason: 'from_outside' };
  return { kind: 'removed', like, version: namedVersion };
}
