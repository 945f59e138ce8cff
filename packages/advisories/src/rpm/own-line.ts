import { splitEvr } from './evr.ts';

/** The rules that separate build lines with their own versions within a release. */
export interface LineRules {
  /** Minor releases have their own fixes: `el9_0`. */
  readonly minor: boolean;
  /** Kernels with one name come from several upstream lines. */
  readonly kernels: 'one' | 'uek';
  /** The line of a build of a collection outside of the release's core; empty for the core. Absent: it has none. */
  collectionLineOf?(name: string, evr: string): string;
}

const certified = /[._]fips(?:\.|_|$)|fips$/;
const livePatchable = /\.ksplice\d/;
const minorTag = /\.(el\d{1,2}_\d{1,2})(?!\d)/g;
const kernelFamily = /^kernel(?!-(?:srpm-macros|rpm-macros|livepatch|firmware))(?:$|-|\d)/;

/**
 * The build line of a package version. `fips`, `ksplice` and kernel lines such as `kernel-5.15` compare only within
 * the line; `el9_0` compares within the line if it has a statement. Empty: the main line.
 */
export function lineOf(name: string, evr: string, rules: LineRules): string {
  const { version, release } = splitEvr(evr);
  if (certified.test(release)) return 'fips';
  if (livePatchable.test(release)) return 'ksplice';
  if (hasKernelLines(name, rules)) {
    const [major = '', minor = ''] = version.split('.');
    return `kernel-${major}.${minor}`;
  }
  const collection = rules.collectionLineOf?.(name, evr) ?? '';
  if (collection !== '') return collection;
  if (!rules.minor) return '';
  return [...release.matchAll(minorTag)].at(-1)?.[1] ?? kernelMinor(name, version, release);
}

function hasKernelLines(name: string, { kernels }: LineRules): boolean {
  return kernels === 'uek' && name.startsWith('kernel-uek');
}

/** Kernels of RHEL 6 and 7 show their minor release in the first number of their rpm release, not in the dist tag. */
const firstBuilds: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map([
  [
    '2.6.32',
    new Map([
      ['71', 'el6_0'],
      ['131', 'el6_1'],
      ['220', 'el6_2'],
      ['279', 'el6_3'],
      ['358', 'el6_4'],
      ['431', 'el6_5'],
      ['504', 'el6_6'],
      ['573', 'el6_7'],
      ['642', 'el6_8'],
      ['696', 'el6_9'],
      ['754', 'el6_10'],
    ]),
  ],
  [
    '3.10.0',
    new Map([
      ['123', 'el7_0'],
      ['229', 'el7_1'],
      ['327', 'el7_2'],
      ['514', 'el7_3'],
      ['693', 'el7_4'],
      ['862', 'el7_5'],
      ['957', 'el7_6'],
      ['1062', 'el7_7'],
      ['1127', 'el7_8'],
      ['1160', 'el7_9'],
    ]),
  ],
]);

function kernelMinor(name: string, version: string, release: string): string {
  if (!kernelFamily.test(name)) return '';
  return firstBuilds.get(version)?.get(release.split('.', 1)[0] ?? '') ?? '';
}
