import { kernelLine } from '@plimsoll/model';
import { compareKeys, type VersionScheme, versionKey } from '@plimsoll/versions';
import { parseRunningRelease } from '../rpm/kernel-package.ts';

/** A `uname -r` split into the version with its build number, and the flavour (empty if absent). */
export interface KernelRelease {
  readonly version: string;
  readonly flavour: string;
}

/** A build number or similar: `29`, `0.deb11.13`, `0.bpo.15`, `rc5`, `trunk`, `rpi7`. */
const buildPart = /^(?:\d+(?:\.[a-z0-9]+)*|rc\d+|trunk|rpi\d+)$/;

/** `686` and similar are flavours of 32-bit x86 kernels, never build numbers. */
const x86Flavour = /^[3-6]86$/;

/**
 * Splits the `uname -r` of an apt kernel: `6.1.0-29-cloud-amd64` is flavour `cloud-amd64` of `6.1.0-29`,
 * `6.6.31+rpt-rpi-v8` is flavour `rpi-v8`. Null if the text does not start with a version.
 */
export function parseKernelRelease(release: string): KernelRelease | null {
  const parts = release.split('-');
  const [upstream = ''] = parts;
  if (!/^\d+\.\d/.test(upstream)) return null;
  let at = 1;
  for (const part of parts.slice(1, 3)) {
    if (!buildPart.test(part) || x86Flavour.test(part)) break;
    at += 1;
  }
  return { version: parts.slice(0, at).join('-'), flavour: parts.slice(at).join('-') };
}

/** A `uname -r` of any publisher. `line`: the flavour without the numbers of builds, see kernelLine. */
export interface OrderedRelease {
  readonly line: string;
  readonly flavour: string;
  readonly key: Uint8Array;
}

/** The forms of a `uname -r`, the stricter first. */
const forms: readonly { scheme: VersionScheme; read(release: string): KernelRelease | null }[] = [
  { scheme: 'rpm', read: parseRunningRelease },
  { scheme: 'dpkg', read: parseKernelRelease },
];

/** Characters of a release that are read; uname(2) has at most 64. */
const maxRelease = 200;

/**
 * Reads a `uname -r` without knowing its publisher: `7.0.2-6-pve`, `5.10.0-136.12.0.86.oe2203sp1.x86_64`. Null if it does not
 * start with a version.
 */
export function orderedRelease(text: string): OrderedRelease | null {
  const release = text.slice(0, maxRelease);
  for (const { scheme, read } of forms) {
    const found = read(release);
    // A candidate precedes its release.
    const parsed = found === null ? null : versionKey(scheme, found.version.replace(/[-~]?(rc\d)/, '~$1'));
    if (found !== null && parsed?.kind === 'key')
      return { line: kernelLine(found.flavour), flavour: found.flavour, key: parsed.key };
  }
  return null;
}

const byNumbers = new Intl.Collator('en', { numeric: true });

/** Orders two releases: by their versions, then within a line by the numbers of builds, as `kali2` and `kali10`. */
export function compareReleases(a: OrderedRelease, b: OrderedRelease): number {
  return compareKeys(a.key, b.key) || (a.line === b.line ? byNumbers.compare(a.flavour, b.flavour) : 0);
}

const publishedVersion = /(?:^|\s)[A-Za-z]{2,20} ((?:\d{1,3}:)?\d{1,4}\.\d\S{0,200})/;

/**
 * The package version in a `uname -v` such as `#1 SMP PREEMPT_DYNAMIC PMX 6.8.12-4 (2024-11-06T15:04Z)`, after the name of its
 * publisher: several builds of Debian, Kali or Proxmox can share a release. Null if absent.
 */
export function statedVersion(unameVersion: string): string | null {
  return publishedVersion.exec(unameVersion)?.[1] ?? null;
}
