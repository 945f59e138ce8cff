import type { VersionScheme } from '@plimsoll/model';
import { locateDpkgParts, writeDpkgKey } from './dpkg-version.ts';
import { KeyWriter } from './numbers.ts';
import { locateRpmParts, writeRpmKey } from './rpm-version.ts';
import type { Order, UnparseableVersion, VersionParts } from './version.ts';

/** The rules of one scheme. */
interface SchemeRules {
  /** Finds the parts of a text. */
  locate(text: string): VersionParts | UnparseableVersion;
  /** Appends the sort key of the parts that `locate` found in `text`. */
  writeKey(key: KeyWriter, text: string, parts: VersionParts): void;
}

const schemes: Readonly<Record<VersionScheme, SchemeRules>> = {
  dpkg: { locate: locateDpkgParts, writeKey: writeDpkgKey },
  rpm: { locate: locateRpmParts, writeKey: writeRpmKey },
};

/** The sort key of a parseable text. */
export interface VersionKey {
  readonly kind: 'key';
  readonly key: Uint8Array;
}

const writer = new KeyWriter();

/**
 * Sort key of a version text by the rules of its scheme. Never throws: `unparseable` for an invalid text. Byte order of
 * keys is version order within a scheme; equal versions with different spelling (leading zeros, epoch 0 or `(none)`, rpm
 * separators) share a key. A key has at most 1,000 bytes. With `epochs` ignored, that of the same version with epoch 0.
 */
export function versionKey(
  scheme: VersionScheme,
  text: string,
  epochs: 'compared' | 'ignored' = 'compared',
): VersionKey | UnparseableVersion {
  const { locate, writeKey } = schemes[scheme];
  const parts = locate(text);
  if (parts.kind === 'unparseable') return parts;
  writer.reset();
  writeKey(writer, text, epochs === 'ignored' ? { ...parts, epochEnd: parts.epochStart } : parts);
  return { kind: 'key', key: writer.finish() };
}

/** Orders two sort keys of one scheme by bytes, a prefix first, as PostgreSQL orders bytea. */
export function compareKeys(a: Uint8Array, b: Uint8Array): Order {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const left = a[at] ?? 0;
    const right = b[at] ?? 0;
    if (left !== right) return left < right ? -1 : 1;
  }
  if (a.length === b.length) return 0;
  return a.length < b.length ? -1 : 1;
}
