import type { DpkgPackage } from '../sections/dpkg.ts';
import type { KernelPackage } from './kernel-fields.ts';

/** Names of packages that boot a kernel, as in Debian, Ubuntu and Proxmox. */
const imageForm = /^(?:linux-image|proxmox-kernel|pve-kernel)-(?:unsigned-)?(\d+\.\d+(?:\.\d+|[-~]rc\d).*)$/;
const signedEnd = /-(?:un)?signed$/;
const notBootable = /-(?:dbg|dbgsym|template)$/;

/** The installed packages that boot a kernel, each with the `uname -r` it boots as. */
export function aptKernels(packages: readonly DpkgPackage[]): readonly KernelPackage[] {
  return packages.flatMap(({ name, version }) => {
    const rest = imageForm.exec(name)?.[1];
    if (rest === undefined || notBootable.test(rest)) return [];
    return [{ package: name, version, releases: [rest.replace(signedEnd, '')] }];
  });
}
