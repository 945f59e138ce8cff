import type { OsFamily, Platform } from '@plimsoll/model';
import { numberOfDebianCodename } from './distributions/debian/releases.ts';
import { numberOfUbuntuCodename } from './distributions/ubuntu/releases.ts';

/**
 * Distributions of rpm packages, by `ID` of os-release, that ship packages of another distribution under its
 * vendor.
 */
const sharedIds: ReadonlyMap<string, string> = new Map([
  ['cloudlinux', 'almalinux'],
  // Made of Fedora's packages and some of their own, under Fedora's numbers.
  ...['aurora', 'bazzite', 'bluefin', 'fedora-asahi-remix', 'fedoraremixforwsl', 'nobara', 'ultramarine'].map(
    (id) => [id, 'fedora'] as const,
  ),
]);

/**
 * The platform whose packages a derivative's hosts share, so that these can be judged; null if none is known. On apt it is
 * the Debian or Ubuntu release with the host's codename. The origin of each package separates shared ones from
 * the derivative's own, which have no verdict. Rolling derivatives such as Kali share no release.
 */
export function baseOf(platform: Platform): Platform | null {
  return baseRules[platform.osFamily](platform);
}

const baseRules: Readonly<Record<OsFamily, (platform: Platform) => Platform | null>> = {
  apt: aptBaseOf,
  rpm: (platform) => {
    const osId = sharedIds.get(platform.osId);
    return osId === undefined ? null : { ...platform, osId };
  },
  unknown: () => null,
};

function aptBaseOf(platform: Platform): Platform | null {
  if (platform.osId === '') return null;
  // Releases of Raspbian before 9 have no codename, and always Debian's number.
  if (platform.osId === 'raspbian' && platform.osCodename === '' && /^\d{1,2}$/.test(platform.osVersionId))
    return { ...platform, osId: 'debian' };
  const ubuntu = numberOfUbuntuCodename(platform.osCodename);
  if (ubuntu !== null) return { ...platform, osId: 'ubuntu', osVersionId: ubuntu };
  const debian = numberOfDebianCodename(platform.osCodename);
  return debian === null ? null : { ...platform, osId: 'debian', osVersionId: debian };
}
