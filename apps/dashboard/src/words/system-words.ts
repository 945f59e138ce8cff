import type { Host } from '@plimsoll/contract';
import { printable } from '../design/text/printable.ts';

/** Names by the `ID` of os-release. Other ids are shown as the host reports them. */
const systemNames: ReadonlyMap<string, string> = new Map([
  ['almalinux', 'AlmaLinux'],
  ['amzn', 'Amazon Linux'],
  ['centos', 'CentOS'],
  ['debian', 'Debian'],
  ['fedora', 'Fedora'],
  ['linuxmint', 'Linux Mint'],
  ['ol', 'Oracle Linux'],
  ['opensuse', 'openSUSE'],
  ['opensuse-aeon', 'openSUSE Aeon'],
  ['opensuse-kalpa', 'openSUSE Kalpa'],
  ['opensuse-leap', 'openSUSE Leap'],
  ['opensuse-microos', 'openSUSE MicroOS'],
  ['opensuse-tumbleweed', 'openSUSE Tumbleweed'],
  ['raspbian', 'Raspbian'],
  ['redhat', 'RHEL'],
  ['rhel', 'RHEL'],
  ['rocky', 'Rocky Linux'],
  ['sle-hpc', 'SLE HPC'],
  ['sle_hpc', 'SLE HPC'],
  ['sle-micro', 'SLE Micro'],
  ['sl-micro', 'SL Micro'],
  ['sled', 'SLED'],
  ['sles', 'SLES'],
  ['sles_sap', 'SLES for SAP'],
  ['suse-microos', 'SLE Micro'],
  ['ubuntu', 'Ubuntu'],
]);

/** Name of a distribution by the `ID` of os-release; an unknown id is cut at 60 characters. */
export function systemName(osName: string): string {
  return systemNames.get(osName) ?? printable(osName, 60);
}

/** Name and version of a host's system: `Rocky Linux 9.1`; '' if both are unknown. */
export function systemInWords({ os_name, os_version }: Pick<Host, 'os_name' | 'os_version'>): string {
  return printable(`${systemName(os_name)} ${os_version}`.trim(), 100);
}
