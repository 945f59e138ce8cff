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
