/**
 * Packages of an apt host that only a boot replaces: what every process uses, or what holds the system and its hardware.
 * Not the kernel, which is judged by which one runs.
 */
export const aptCorePackages: ReadonlySet<string> = new Set([
  'amd64-microcode',
  'dbus',
  'dbus-daemon',
  'intel-microcode',
  'libc6',
  'systemd',
]);

/** The same of an rpm host: the list of dnf's needs-restarting(1), as named in releases up to 10, and SUSE's of the same kind. */
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
