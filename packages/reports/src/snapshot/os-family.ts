import type { OsFamily } from '@plimsoll/model';

const aptIds =
  'debian ubuntu raspbian linuxmint pop kali devuan elementary zorin neon parrot deepin pureos armbian proxmox pve trisquel';
const rpmIds =
  'rhel centos fedora almalinux rocky ol amzn opensuse opensuse-leap opensuse-tumbleweed opensuse-leap-micro sles sled sles_sap sle-micro suse openeuler mageia photon azurelinux mariner scientific virtuozzo cloudlinux eurolinux circle anolis tencentos alinux miraclelinux';

const families: ReadonlyMap<string, 'apt' | 'rpm'> = new Map([
  ...aptIds.split(' ').map((id) => [id, 'apt'] as const),
  ...rpmIds.split(' ').map((id) => [id, 'rpm'] as const),
]);

/** The package manager's family of a distribution, by its `ID` of os-release(5), in any case; `unknown` if not known. */
export function osFamilyOf(osId: string): OsFamily {
  return families.get(osId.trim().toLowerCase()) ?? 'unknown';
}
