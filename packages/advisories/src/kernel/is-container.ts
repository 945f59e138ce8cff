/** The answers of `systemd-detect-virt --container`, and the plain word. A container has no kernel of its own. */
export const containerKinds: ReadonlySet<string> = new Set([
  'container',
  'container-other',
  'docker',
  'lxc',
  'lxc-libvirt',
  'openvz',
  'podman',
  'pouch',
  'proot',
  'rkt',
  'systemd-nspawn',
  'wsl',
]);

/** Whether a host is a container, from its virtualization word; false for an unknown word. */
export function isContainer(virtualization: string): boolean {
  return containerKinds.has(virtualization.toLowerCase());
}
