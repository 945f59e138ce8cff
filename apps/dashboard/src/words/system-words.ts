import type { Host } from '@plimsoll/contract';
import { printable } from '../design/text/printable.ts';

/** Names by the `ID` of os-release. An id that is not here is shown as the host reports it. */
const systemNames: ReadonlyMap<string, string> = new Map([
  ['almalinux', 'AlmaLinux'],
  ['amzn', 'Amazon Linux'],
  ['centos', 'CentOS'],
  ['debian', 'Debian'],
  ['fedora', 'Fedora'],
  ['linuxmint', 'Linux Mint'],
  ['ol', 'Oracle Linux'],
  ['opensuse', 'openSUSE'],
  ['opensuse-leap', 'openSUSE Leap'],
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

/** The name of a distribution, from the `ID` of its os-release; at most 60 characters of an unknown id. */
export function systemName(osName: string): string {
  return systemNames.get(osName) ?? printable(osName, 60);
}

/** The system of a host by name and version: `Rocky Linux 9.1`; '' where neither is known. */
export function systemInWords({ os_name, os_version }: Pick<Host, 'os_name' | 'os_version'>): string {
  return printable(`${systemName(os_name)} ${os_version}`.trim(), 100);
}
