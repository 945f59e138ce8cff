import type { RpmPackage } from '../sections/rpm.ts';
import type { KernelPackage } from './kernel-fields.ts';

/**
 * `kernel`, `kernel-core`, `kernel-64k-debug-core`, `kernel-uek`, `kernel6.12`, `kernel-ml-core`; captures the middle
 * part.
 */
const imageForm =
  /^kernel(?:\d+\.\d+)?((?:-(?:64k|16k|rt|debug|uek|uek64k|lt|ml|zfcpdump|automotive|longterm))*)(-core)?$/;
/** Kernel lines that are named in the rpm release. */
const namedInRelease = new Set(['uek', 'lt', 'ml', 'longterm']);
const suseForm = /^kernel-(default|azure|rt|64kb|preempt|vanilla|debug|kvmsmall|pae|lpae|longterm)(-base)?$/;
const suseVendor = /suse/i;

/**
 * The installed packages that boot a kernel, each with every possible `uname -r`, the likeliest first. A package that
 * only pulls in its `-core` does not boot.
 */
export function rpmKernels(packages: readonly RpmPackage[]): readonly KernelPackage[] {
  const cores = new Set<string>();
  for (const { name, version, architecture } of packages) {
    if (name.startsWith('kernel') && name.endsWith('-core')) cores.add(`${name} ${version} ${architecture}`);
  }
  return packages.flatMap((installed) => {
    const { name, version, architecture } = installed;
    if (!name.startsWith('kernel') || cores.has(`${name}-core ${version} ${architecture}`)) return [];
    const releases = suseVendor.test(installed.vendor) ? suseReleases(installed) : releasesOf(installed);
    return releases.length === 0 ? [] : [{ package: name, version, releases }];
  });
}

/**
 * `5.14.0-503.el9.x86_64`, and for a variant `…+64k` or, on old releases, `….debug`. Azure Linux omits the
 * architecture.
 */
function releasesOf({ name, version, architecture }: RpmPackage): readonly string[] {
  const [, words] = imageForm.exec(name) ?? [];
  if (words === undefined) return [];
  const plain = withoutEpoch(version);
  const full = architecture === '' ? plain : `${plain}.${architecture}`;
  const variant = words
    .split('-')
    .filter((word) => word !== '' && !namedInRelease.has(word) && !(word === 'rt' && /\.rt\d/.test(plain)))
    .join('-');
  if (variant === '') return [full, plain];
  return [`${full}+${variant}`, `${full}.${variant}`, `${full}-${variant}`, full];
}

/**
 * SUSE's `5.14.21-150500.55.7.1` boots as `5.14.21-150500.55.7-default`: the rebuild number is omitted. A small
 * `-base` kernel appends its own packaging release to the kernel's.
 */
function suseReleases({ name, version }: RpmPackage): readonly string[] {
  const [, flavour, base] = suseForm.exec(name) ?? [];
  if (flavour === undefined) return [];
  const evr = withoutEpoch(version);
  const shorter = evr.slice(0, Math.max(0, evr.lastIndexOf('.')));
  const kernel = base === undefined ? shorter : (/^[^-]+-\d+(?:\.\d+){2}/.exec(evr)?.[0] ?? shorter);
  return [kernel, evr].filter((release) => release.includes('-')).map((release) => `${release}-${flavour}`);
}

function withoutEpoch(version: string): string {
  return version.replace(/^\d+:/, '');
}
