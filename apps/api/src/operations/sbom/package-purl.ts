import type { PackageFamily } from '@plimsoll/model';

/** The namespaces of distributions whose id in os-release differs from the one that purls use. */
const namespaces: Readonly<Record<string, string>> = {
  rhel: 'redhat',
  'opensuse-leap': 'opensuse',
  sles: 'suse',
};

/** The types of purls (purl-spec, "deb" and "rpm"). */
const types: Readonly<Record<PackageFamily, { readonly type: string; readonly epochIsQualifier: boolean }>> =
  {
    apt: { type: 'deb', epochIsQualifier: false },
    rpm: { type: 'rpm', epochIsQualifier: true },
  };

/** An installed package and the system it is installed on. */
export interface PurlPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly osId: string;
  readonly osVersionId: string;
}

/**
 * The purl of an installed package: `pkg:deb/debian/openssl@3.0.15-1?arch=amd64&distro=debian-12`, or
 * `pkg:rpm/redhat/openssl@3.0.7-28.el9?arch=x86_64&distro=rhel-9.4&epoch=1` with the epoch as a qualifier
 * (purl-spec, types deb and rpm). Qualifiers are sorted by name.
 */
export function packagePurl(family: PackageFamily, one: PurlPackage): string {
  const { name, architecture, osId, osVersionId } = one;
  const { type, epochIsQualifier } = types[family];
  const epoch = epochIsQualifier ? /^(\d+):(.*)$/su.exec(one.version) : null;
  const version = epoch?.[2] ?? one.version;
  const distro = osVersionId === '' ? osId : `${osId}-${osVersionId}`;
  const qualifiers = [
    ['arch', architecture],
    ['distro', distro],
    ['epoch', epoch?.[1] ?? ''],
  ].filter(([, value]) => value !== '' && value !== '0');
  const query = qualifiers.map(([key = '', value = '']) => `${key}=${encoded(value)}`).join('&');
  const path = [type, namespaces[osId] ?? osId, name].filter((part) => part !== '').map(encoded);
  const full = version === '' ? path.join('/') : `${path.join('/')}@${encoded(version)}`;
  return `pkg:${full}${query === '' ? '' : `?${query}`}`;
}

/** Percent-encodes a part of a purl; unpaired surrogates, which have no encoding, are replaced. */
function encoded(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\uFFFD'))
    .replaceAll('%3A', ':')
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
