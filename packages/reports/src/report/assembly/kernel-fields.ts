import { TriState } from '@plimsoll/proto';
import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { ReportFacts } from '../section-registry.ts';

type KernelFields = NonNullable<SnapshotFields['kernel']>;

/** An installed package that boots a kernel. */
export interface KernelPackage {
  readonly package: string;
  readonly version: string;
  /** Each possible `uname -r`, the likeliest first. */
  readonly releases: readonly string[];
}

/** The kernel facts of a report, except whether a reboot is due. */
export function kernelFields(
  packages: readonly KernelPackage[],
  { kernel, livepatch }: ReportFacts,
): Omit<KernelFields, 'rebootRequired' | 'rebootPackages' | 'rebootAnswers'> {
  const seen = new Set(kernel === null ? [] : [kernel.release, ...kernel.bootable]);
  const installed = packages.map((entry) => ({
    package: entry.package,
    version: entry.version,
    release: entry.releases.find((release) => seen.has(release)) ?? entry.releases[0] ?? '',
  }));
  const packaged = new Set(installed.map(({ release }) => release));
  const unpackaged = (kernel?.bootable ?? []).filter(
    (release) => !packaged.has(release) && isBootable(release),
  );
  const all = [...installed, ...unpackaged.map((release) => ({ package: '', version: '', release }))];
  const running = kernel?.release ?? '';
  return {
    runningRelease: running,
    runningVersion: kernel?.version ?? '',
    runningPackage:
      running === '' ? '' : (installed.find(({ release }) => release === running)?.package ?? ''),
    installed: all.map((entry) => ({
      ...entry,
      defaultBoot: defaultBoot(entry.release, kernel?.defaultRelease ?? ''),
    })),
    pinnedRelease: kernel?.pinnedRelease ?? '',
    livepatch: livepatch?.state ?? '',
    livepatchedCves: livepatch?.cves ?? [],
  };
}

/** Whether a file in /boot is a bootable kernel, not a rescue image or a backup copy. */
function isBootable(release: string): boolean {
  return !release.includes('rescue') && !/\.(?:old|bak|hmac|dpkg-\w+|rpm\w+)$/.test(release);
}

function defaultBoot(release: string, defaultRelease: string): TriState {
  if (defaultRelease === '') return TriState.UNSPECIFIED;
  return release === defaultRelease ? TriState.YES : TriState.NO;
}
