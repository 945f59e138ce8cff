import type { PackageManager } from './package-manager.ts';

const apt: ReadonlySet<string> = new Set([
  'amd64-microcode',
  'dbus',
  'dbus-daemon',
  'intel-microcode',
  'libc6',
  'systemd',
]);

/** The list of dnf's needs-restarting(1), as it is named in releases up to 10, and SUSE's of the same kind. */
const rpm: ReadonlySet<string> = new Set([
  'dbus',
  'dbus-1',
  'dbus-broker',
  'dbus-daemon',
  'glibc',
  'linux-firmware',
  'microcode_ctl',
  'kernel-firmware-all',
  'openssl-libs',
  'systemd',
  'ucode-amd',
  'ucode-intel',
  'udev',
]);

/**
 * Whether only a boot replaces a package: what every process uses, or what holds the system and its hardware. Not the
 * kernel, which is judged by which one runs.
 */
export function isCorePackage(manager: PackageManager, name: string): boolean {
  return (manager === 'apt' ? apt : rpm).has(name);
}
