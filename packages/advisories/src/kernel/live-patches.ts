/** A live patch that a package contains, for one kernel. */
export interface LivePatch {
  /** The kernel's version and release, and on SUSE its flavour, with "_" for each separator. */
  readonly kernel: string;
  /** The name of its module, with "_" for each separator. */
  readonly module: string;
}

/** What the names of packages with live patches start with. */
export const livePatchPrefixes = ['kpatch-patch-', 'kernel-livepatch-', 'kgraft-patch-'] as const;

const packageName = new RegExp(`^(?:${livePatchPrefixes.join('|')})(\\d.*)$`);
/** In the dist tag the names of kernels and of modules differ. */
const distTag = /\.(?:el\d|amzn\d).*$/;

/**
 * The live patch in a package: Red Hat's `kpatch-patch-5_14_0-503_11_1` of version `1-2.el9_5` is the module
 * `kpatch_5_14_0_503_11_1_1_2`; SUSE's are `kernel-livepatch-…-default` and `kgraft-patch-…-default`, Amazon's
 * `kernel-livepatch-5.10.102-99.473`. Null for any other package.
 */
export function livePatchOf(name: string, version: string): LivePatch | null {
  const kernel = packageName.exec(name)?.[1];
  if (kernel === undefined) return null;
  const build = version.replace(/^\d+:/, '').replace(distTag, '');
  return { kernel: plain(kernel), module: plain(`kpatch-${kernel}-${build}`) };
}

/**
 * Whether the running kernel has a live patch loaded: it is for that kernel, and the client lists its module as
 * enabled. `client` is the client's words, as in KernelFacts.
 */
export function isLoaded(
  { kernel, module }: LivePatch,
  { runningRelease, livepatch }: { readonly runningRelease: string; readonly livepatch: string },
): boolean {
  if (plain(runningRelease.replace(distTag, '')) !== kernel) return false;
  return livepatch.split(', ').some((entry) => {
    const [name = '', state] = entry.split(' ');
    return state === '[enabled]' && plain(name) === module;
  });
}

function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '_');
}
