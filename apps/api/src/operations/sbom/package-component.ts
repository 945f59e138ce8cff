import { plainOrigin } from '@plimsoll/advisories';
import type { SbomComponent } from '@plimsoll/contract';
import type { HostPlatform, StoredPackageVersion } from '@plimsoll/db';
import { packagePurl } from './package-purl.ts';

/** A package version as a host has it. */
export interface PackageOnHost {
  readonly version: StoredPackageVersion;
  readonly held: boolean;
  /** False for a kernel that runs and is not installed any more. */
  readonly isInstalled: boolean;
}

/** A package of a host as a component. The bom-ref is the purl, or the id of the version without one. */
export function packageComponent(
  { version, held, isInstalled }: PackageOnHost,
  { osFamily, osId, osVersionId }: HostPlatform,
): SbomComponent {
  const { name, architecture, verdict } = version;
  const purl =
    osFamily === 'unknown'
      ? null
      : packagePurl(osFamily, { name, version: version.version, architecture, osId, osVersionId });
  return {
    type: 'library',
    'bom-ref': purl ?? `package ${version.id}`,
    name,
    version: version.version.slice(0, 1_024),
    ...(version.vendor === '' ? {} : { publisher: plainOrigin(version.vendor) }),
    ...(purl === null ? {} : { purl }),
    properties: [
      { name: 'plimsoll:architecture', value: architecture },
      { name: 'plimsoll:source_name', value: version.sourceName },
      { name: 'plimsoll:source_version', value: version.sourceVersion },
      {
        name: 'plimsoll:verdict',
        value: verdict.kind === 'unknown' ? `unknown: ${verdict.reason}` : verdict.kind,
      },
      ...(held ? [{ name: 'plimsoll:held', value: 'true' }] : []),
      ...(isInstalled ? [] : [{ name: 'plimsoll:running_but_not_installed', value: 'true' }]),
    ],
  };
}
