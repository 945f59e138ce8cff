/**
 * Packages of an apt host that only a boot replaces: libraries of every process, and the system and hardware base. Not
 * the kernel, for which the running one decides.
 */
export const aptCorePackages: ReadonlySet<string> = new Set([
  'amd64-microcode',
  'dbus',
  'dbus-daemon',
  'intel-microcode',
  'libc6',
  'systemd',
]);

/**
 * The same for an rpm host: the list of dnf's needs-restarting(1), with the names in releases up to 10, and SUSE's
 * similar list.
 */
export const rpmCorePackages: ReadonlySet<string> = new Set([
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
