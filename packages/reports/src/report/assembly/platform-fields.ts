import type { PackageFamily } from '@plimsoll/model';
import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { ReportFacts } from '../section-registry.ts';

type PlatformFields = NonNullable<SnapshotFields['platform']>;

/** The platform of a report. */
export function platformFields(family: PackageFamily, facts: ReportFacts): PlatformFields {
  const { platform } = facts;
  const values: ReadonlyMap<string, string> = facts['os-release']?.values ?? new Map();
  const osVersionId = values.get('VERSION_ID') ?? '';
  return {
    osFamily: family,
    osId: values.get('ID') ?? '',
    osVersionId,
    osVersion: fullestVersion(osVersionId, [
      platform?.debianVersion ?? '',
      values.get('VERSION') ?? '',
      values.get('PRETTY_NAME') ?? '',
    ]),
    // For a derivative, the codename of the release that it shares packages with is more useful than its own.
    osCodename:
      ['UBUNTU_CODENAME', 'DEBIAN_CODENAME', 'VERSION_CODENAME']
        .map((key) => values.get(key))
        .find(Boolean) ?? '',
    osPrettyName: values.get('PRETTY_NAME') ?? '',
    architecture: platform?.architecture ?? '',
    hostname: platform?.hostname ?? '',
    machineId: platform?.machineId ?? '',
    virtualization: platform?.virtualization ?? '',
    ipAddresses: platform?.ipAddresses ?? [],
  };
}

/** The first word of `texts` that extends the version id: `12.11` for `12`, `22.04.4` for `22.04`. */
function fullestVersion(versionId: string, texts: readonly string[]): string {
  if (versionId === '') return '';
  for (const text of texts) {
    const word = text.split(/\s+/, 64).find((part) => part.startsWith(`${versionId}.`));
    if (word !== undefined && /^[0-9.]+$/.test(word)) return word;
  }
  return versionId;
}
