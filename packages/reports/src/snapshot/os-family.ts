import { type OsFamily, type PackageFamily, packageFamilies } from '@plimsoll/model';

/** The distributions of each family: `ID` of os-release(5). */
const osIds: Readonly<Record<PackageFamily, string>> = {
  apt: 'debian ubuntu raspbian linuxmint pop kali devuan elementary zorin neon parrot deepin pureos armbian proxmox pve trisquel bodhi cumulus-linux endless gardenlinux gnoppix pengwin pika tails ubuntu_kylin vanillaos',
  rpm: 'rhel centos fedora almalinux rocky ol amzn opensuse opensuse-leap opensuse-tumbleweed opensuse-leap-micro sles sled sles_sap sle-micro suse openeuler mageia photon azurelinux mariner scientific virtuozzo cloudlinux eurolinux circle anolis tencentos alinux miraclelinux suse-microos sl-micro opensuse-microos opensuse-aeon opensuse-kalpa nobara aurora bazzite bluefin ultramarine fedora-asahi-remix fedoraremixforwsl clearos xcp-ng xenenterprise openmandriva pclinuxos altlinux hce',
};

const families: ReadonlyMap<string, PackageFamily> = new Map(
  packageFamilies.flatMap((family) => osIds[family].split(' ').map((id) => [id, family] as const)),
);

/**
 * The package manager's family of a distribution, by its `ID` of os-release(5), case-insensitive; `unknown` if not
 * listed.
 */
export function osFamilyOf(osId: string): OsFamily {
  return families.get(osId.trim().toLowerCase()) ?? 'unknown';
}

/** `neither "apt" nor "rpm"`: for messages about a text that names no family. */
export const neitherFamily = `neither ${packageFamilies.map((family) => `"${family}"`).join(' nor ')}`;
