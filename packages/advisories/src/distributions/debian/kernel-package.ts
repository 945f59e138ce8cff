import type { KernelImage } from '@plimsoll/model';
import { parseKernelRelease } from '../../kernel/kernel-release.ts';

/** A source package of kernels, with its name in advisories. */
export interface KernelSource {
  /** `linux`, or a second line of a release such as `linux-6.1`; null if no advisory covers the source. */
  readonly matchName: string | null;
  /** Whether it is a source for signed kernels, whose versions are rewritten kernel versions. */
  readonly signed: boolean;
}

const linuxSource = /^linux(?:-\d+\.\d+)?$/;
const signedSource = /^linux-signed((?:-\d+\.\d+)?)-[a-z0-9]+$/;
const metapackageSource = /^linux-latest(?:-\d+\.\d+)?$/;

/** The kernel source behind a source name; null for every other source, including `linux-base`. */
export function kernelSourceOf(sourceName: string): KernelSource | null {
  if (linuxSource.test(sourceName)) return { matchName: sourceName, signed: false };
  if (metapackageSource.test(sourceName)) return { matchName: null, signed: false };
  const line = signedSource.exec(sourceName)?.[1];
  return line === undefined ? null : { matchName: `linux${line}`, signed: true };
}

/**
 * The version of `linux` that a source version represents: signed `6.1.128+1~deb11u1` is `6.1.128-1~deb11u1`, because
 * signing replaces the hyphen by "+". Null if a signed version has neither.
 */
export function linuxVersionOf(source: KernelSource, sourceVersion: string): string | null {
  if (!source.signed || sourceVersion.includes('-')) return sourceVersion;
  return sourceVersion.includes('+') ? sourceVersion.replace('+', '-') : null;
}

/** The role of a binary package in booting a kernel. */
export type KernelRole = KernelImage | { readonly role: 'metapackage'; readonly flavour: string };

const imagePrefix = 'linux-image-';
/** A `uname -r` has three numbers or is a release candidate; `6.1-amd64` is a line and a flavour. */
const bootableRelease = /^\d+\.\d+(?:\.\d+|[-~]rc\d)/;
const line = /^\d+\.\d+-/;
const notBootable = ['-dbg', '-signed-template'];

/**
 * Reads the name of a binary package: `linux-image-6.1.0-29-amd64` and its `-unsigned` twin boot; `linux-image-amd64`
 * and `linux-image-6.1-amd64` are metapackages; debug symbols and all others have no role.
 */
export function kernelRoleOf(packageName: string): KernelRole | null {
  if (!packageName.startsWith(imagePrefix) || notBootable.some((end) => packageName.endsWith(end)))
    return null;
  const rest = packageName.slice(imagePrefix.length);
  if (!bootableRelease.test(rest)) return { role: 'metapackage', flavour: rest.replace(line, '') };
  const release = rest.endsWith('-unsigned') ? rest.slice(0, -'-unsigned'.length) : rest;
  return { role: 'image', release, flavour: parseKernelRelease(release)?.flavour ?? '' };
}

const secondLineVersion = /^(\d+\.\d+)\..*~deb\d+u\d+$/;

/**
 * The source of a kernel with only a known version: second lines of a release carry the release's suffix
 * (`6.1.128-1~deb11u1` is `linux-6.1`), `linux` never does.
 */
export function kernelLineOf(version: string): string {
  const number = secondLineVersion.exec(version)?.[1];
  return number === undefined ? 'linux' : `linux-${number}`;
}

const namedVersion = /(?:^|\s)Debian (\S{1,200})/;

/**
 * The package version in a `uname -v` such as `#1 SMP PREEMPT_DYNAMIC Debian 6.1.123-1 (2025-01-02)`; null if absent.
 */
export function runningVersionOf(unameVersion: string): string | null {
  return namedVersion.exec(unameVersion)?.[1] ?? null;
}
