import type { PackageFamily } from '@plimsoll/model';
import { textLimits } from '../../limits.ts';
import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import type { ReportFacts } from '../section-registry.ts';

type PlatformFields = NonNullable<SnapshotFields['platform']>;

/** The platform of a report. */
export function platformFields(family: PackageFamily, facts: ReportFacts): PlatformFields {
  const { platform } = facts;
  const values: ReadonlyMap<string, string> = facts['os-release']?.values ?? new Map();
  const { osId, osVersionId } = systemOf(values, platform?.debianVersion ?? '');
  return {
    osFamily: family,
    osId,
    osVersionId,
    osVersion: fullestVersion(osVersionId, [
      platform?.debianVersion ?? '',
      values.get('VERSION') ?? '',
      values.get('PRETTY_NAME') ?? '',
    ]),
    // For a derivative, the codename of the release that it shares packages with is more useful than its own.
    osCodename:
      ['UBUNTU_CODENAME', 'DEBIAN_CODENAME', 'VERSION_CODENAME', 'DISTRIB_CODENAME']
        .map((key) => values.get(key))
        .find(Boolean) ?? '',
    osPrettyName:
      values.get('PRETTY_NAME') ?? values.get('RELEASE_TEXT') ?? values.get('DISTRIB_DESCRIPTION') ?? '',
    architecture: platform?.architecture ?? '',
    hostname: platform?.hostname ?? '',
    machineId: platform?.machineId ?? '',
    virtualization: platform?.virtualization ?? '',
    ipAddresses: platform?.ipAddresses ?? [],
    supportEnd: values.get('SUPPORT_END') ?? '',
    imageVersion: values.get('OSTREE_VERSION') ?? '',
  };
}

/** Names in files from before os-release(5), with the `ID` that the system has in it; the first that begins the text. */
const systemNames: readonly (readonly [RegExp, string])[] = [
  [/^centos/i, 'centos'],
  [/^red hat enterprise/i, 'rhel'],
  [/^(?:oracle|enterprise) linux/i, 'ol'],
  [/^scientific/i, 'scientific'],
  [/^fedora/i, 'fedora'],
  [/^almalinux/i, 'almalinux'],
  [/^rocky/i, 'rocky'],
  [/^amazon/i, 'amzn'],
  [/^suse linux enterprise (?:desktop)/i, 'sled'],
  [/^suse linux enterprise/i, 'sles'],
  [/^opensuse/i, 'opensuse'],
];

/**
 * Which system it is: as os-release(5) says; else as older files say, which the collector adds as `RELEASE_TEXT`, the
 * variables of lsb-release, or debian_version. `linux`, the default of os-release(5), stands for an unknown one.
 */
function systemOf(
  values: ReadonlyMap<string, string>,
  debianVersion: string,
): { readonly osId: string; readonly osVersionId: string } {
  const said = (name: string): string =>
    (values.get(name) ?? '')
      .slice(0, textLimits.name)
      .replace(/\p{Cc}/gu, '')
      .trim();
  const version = said('VERSION_ID');
  const id = idOf(said('ID'));
  if (id !== '') return { osId: id, osVersionId: version };
  const text = said('RELEASE_TEXT');
  const named = systemNames.find(([form]) => form.test(text))?.[1];
  if (named !== undefined) {
    const stated = /(?:release|enterprise [a-z ]+|opensuse) (\d[\d.]*)/i.exec(text)?.[1] ?? '';
    const level = said('PATCHLEVEL');
    return { osId: named, osVersionId: level === '' || level === '0' ? stated : `${stated}.${level}` };
  }
  const distribution = idOf(said('DISTRIB_ID'));
  if (distribution !== '') return { osId: distribution, osVersionId: said('DISTRIB_RELEASE') };
  const debian = /^\d+/.exec(debianVersion)?.[0];
  return debian === undefined
    ? { osId: 'linux', osVersionId: version }
    : { osId: 'debian', osVersionId: debian };
}

/** A name in the form of an ID of os-release(5). */
function idOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '');
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
