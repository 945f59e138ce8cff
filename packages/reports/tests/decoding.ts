import type { InstalledPackage, Snapshot } from '@plimsoll/model';
import { type DecodedSnapshot, decodeSnapshot } from '../src/index.ts';
import { concat, packageField } from './wire-bytes.ts';

/** The arrival time of all decoded messages. */
export const receivedAt = new Date('2026-11-20T12:00:00Z');
/** A package. */
export const bash = packageField('bash', '5.2.15-2+b8');
/** Another package; sorts after the first in every order. */
export const zlib = packageField('zlib1g', '1:1.2.13.dfsg-1');

/** Decodes the parts as one message. */
export function decode(...parts: readonly Uint8Array[]): DecodedSnapshot {
  return decodeSnapshot(concat(...parts), { receivedAt });
}

/** The snapshot of a message that must be one. */
export function accept(...parts: readonly Uint8Array[]): Snapshot {
  const decoded = decode(...parts);
  if (decoded.kind !== 'snapshot') throw new Error(JSON.stringify(decoded));
  return decoded.snapshot;
}

/** The warning pointers of a valid message; the kind of any other answer. */
export function warnings(...parts: readonly Uint8Array[]): readonly string[] {
  const decoded = decode(...parts);
  return decoded.kind === 'snapshot' ? decoded.warnings.map(({ pointer }) => pointer) : [decoded.kind];
}

/** The error pointers of an invalid snapshot; the kind of any other answer. */
export function errors(...parts: readonly Uint8Array[]): readonly string[] {
  const decoded = decode(...parts);
  return decoded.kind === 'snapshot_invalid' ? decoded.errors.map(({ pointer }) => pointer) : [decoded.kind];
}

/** Packages as `name:architecture=version`. */
export function identities(packages: readonly InstalledPackage[]): readonly string[] {
  return packages.map(({ name, architecture, version }) => `${name}:${architecture}=${version}`);
}
