import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { RpmPackage } from '../sections/rpm.ts';

type PackageFields = SnapshotFields['packages'][number];

/** The installed packages of an rpm host, in report order. `held`: names excluded from updates. */
export function rpmPackages(
  packages: readonly RpmPackage[],
  held: ReadonlySet<string>,
): readonly PackageFields[] {
  // Lists the fields explicitly: object spread costs more than parsing the line.
  return packages.map((installed) => ({
    name: installed.name,
    architecture: installed.architecture,
    version: installed.version,
    sourceName: installed.sourceName,
    sourceVersion: installed.sourceVersion,
    vendor: installed.vendor,
    module: installed.module,
    held: held.has(installed.name),
    installedAt: installed.installedAt ?? undefined,
    signingKey: installed.signingKey,
    suite: '',
    label: '',
  }));
}
