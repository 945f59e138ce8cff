import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { AptPolicyFacts } from '../sections/apt-policy.ts';
import type { DpkgPackage } from '../sections/dpkg.ts';
import type { AptNames } from './apt-names.ts';
import {
  type AptArchives,
  type AptOrigin,
  installedOrigin,
  isDistributions,
  isUnheardOf,
} from './apt-origin.ts';

type PackageFields = SnapshotFields['packages'][number];

/**
 * The installed packages of an apt host with their origins, in report order. A name that no repository has any more belongs to
 * the distribution if another package of its source does: libraries and kernels change their names with their versions.
 */
export function aptPackages(
  packages: readonly DpkgPackage[],
  policies: AptPolicyFacts,
  names: AptNames,
  archives: AptArchives,
): readonly PackageFields[] {
  const sources = new Set<string>();
  const found = packages.map(({ name, architecture, version, sourceName }) => {
    const policy = names.find(policies, name, architecture);
    const origin = policy === undefined ? null : installedOrigin(policy, version, archives);
    if (isDistributions({ origin: origin?.vendor ?? '' }, archives.osId)) sources.add(sourceName);
    return { origin, isUnheardOf: policy !== undefined && isUnheardOf(policy, archives) };
  });
  return packages.map(({ name, architecture, version, sourceName, sourceVersion, held }, index) => {
    const isRenamed = found[index]?.isUnheardOf === true && sources.has(sourceName);
    const origin: AptOrigin | null = isRenamed ? null : (found[index]?.origin ?? null);
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
