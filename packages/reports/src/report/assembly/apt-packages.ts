import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { AptPolicyFacts } from '../sections/apt-policy.ts';
import type { DpkgPackage } from '../sections/dpkg.ts';
import type { AptNames } from './apt-names.ts';
import { type AptArchives, installedOrigin } from './apt-origin.ts';

type PackageFields = SnapshotFields['packages'][number];

/** The installed packages of an apt host with their origins, in report order. */
export function aptPackages(
  packages: readonly DpkgPackage[],
  policies: AptPolicyFacts,
  names: AptNames,
  archives: AptArchives,
): readonly PackageFields[] {
  return packages.map(({ name, architecture, version, sourceName, sourceVersion, held }) => {
    const policy = names.find(policies, name, architecture);
    const origin = policy === undefined ? null : installedOrigin(policy, version, archives);
    return {
      name,
      architecture,
      version,
      sourceName,
      sourceVersion,
      vendor: origin?.vendor ?? '',
      module: '',
      held,
      signingKey: '',
      suite: origin?.suite ?? '',
      label: origin?.label ?? '',
    };
  });
}
