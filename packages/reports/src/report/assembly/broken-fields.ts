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

/** Of these names several may be installed everywhere: yum.conf(5), installonlypkgs, and SUSE's multiversion kernels. */
const alwaysInstallOnly = /^kernel(?!-(?:headers|tools|srpm))|^kmod-|-kmp(?:-|$)/;
/** A key is no package; several of one name are the rule. */
const key = 'gpg-pubkey';

/**
 * The older versions of packages of an rpm host of which only one version should be installed: a transaction that was
 * cut off leaves both. The version that was installed last will remain.
 * @param installOnly other names of which several may be; null from collectors before 0.4.0.
 */
export function rpmBroken(
  packages: readonly RpmPackage[],
  installOnly: ReadonlySet<string> | null,
): readonly BrokenFields[] {
  const newest = new Map<string, RpmPackage>();
  for (const installed of packages) {
    const other = newest.get(identityOf(installed));
    if (other === undefined || secondsOf(installed) >= secondsOf(other))
      newest.set(identityOf(installed), installed);
  }
  return packages.flatMap((installed) => {
    const { name, architecture, version } = installed;
    const other = newest.get(identityOf(installed));
    const mayBeSeveral = alwaysInstallOnly.test(name) || installOnly?.has(name) === true;
    if (other === undefined || other.version === version || name === key || mayBeSeveral) return [];
    return [
      { name, architecture, version, state: 'duplicate', otherVersion: other.version, otherKnown: true },
    ];
  });
}

function identityOf({ name, architecture }: RpmPackage): string {
  return `${name}.${architecture}`;
}

function secondsOf({ installedAt }: RpmPackage): bigint {
  return installedAt?.seconds ?? 0n;
}
