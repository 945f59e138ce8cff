import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { DpkgPackage } from '../sections/dpkg.ts';
import type { RpmPackage } from '../sections/rpm.ts';

type BrokenFields = SnapshotFields['broken'][number];

/** The packages of an apt host whose installation did not end. */
export function aptBroken(packages: readonly DpkgPackage[]): readonly BrokenFields[] {
  return packages.flatMap(({ name, architecture, version, broken, configured }) =>
    broken === null
      ? []
      : [
          {
            name,
            architecture,
            version,
            state: broken,
            otherVersion: configured ?? '',
            otherKnown: configured !== null,
          },
        ],
  );
}

/** Of these names several may be installed everywhere: yum.conf(5), installonlypkgs, SUSE's multiversion kernels, and Photon's. */
const alwaysInstallOnly =
  /^kernel(?!-(?:headers|tools|srpm))|^kmod-|-kmp(?:-|$)|^linux(?:-(?:esx|rt|secure|aws))?(?:-d[a-z-]+)?$/;
/** A key is no package; several of one name are the rule. */
const key = 'gpg-pubkey';

/**
 * The older versions of packages of an rpm host of which only one version should be installed: a transaction that was
 * cut off leaves both, or the same version twice. The version that was installed last will remain.
 * @param installOnly other names of which several may be; null from collectors before 0.4.0.
 */
export function rpmBroken(
  packages: readonly RpmPackage[],
  installOnly: ReadonlySet<string> | null,
): readonly BrokenFields[] {
  // Most names are there once.
  const first = new Map<string, RpmPackage>();
  const several = new Map<string, RpmPackage[]>();
  for (const installed of packages) {
    const identity = `${installed.name}.${installed.architecture}`;
    const other = first.get(identity);
    const alike = several.get(identity);
    if (alike !== undefined) alike.push(installed);
    else if (other === undefined) first.set(identity, installed);
    else several.set(identity, [other, installed]);
  }
  return [...several.values()].flatMap((alike) => {
    const newest = alike.reduce((a, b) => (secondsOf(b) >= secondsOf(a) ? b : a));
    const { name, architecture, version: otherVersion } = newest;
    if (name === key || alwaysInstallOnly.test(name) || installOnly?.has(name) === true) return [];
    return alike
      .filter((one) => one !== newest)
      .map(({ version }) => ({
        name,
        architecture,
        version,
        state: 'duplicate',
        otherVersion,
        otherKnown: true,
      }));
  });
}

function secondsOf({ installedAt }: RpmPackage): bigint {
  return installedAt?.seconds ?? 0n;
}
