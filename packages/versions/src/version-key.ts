import type { VersionScheme } from '@plimsoll/model';
import { KeyWriter } from './key-writer.ts';
import type { UnparseableVersion, Version } from './version.ts';
import type { VersionParts } from './version-parts.ts';
import { rulesOf } from './version-schemes.ts';

/** The sort key of a parseable text. */
export interface VersionKey {
  readonly kind: 'key';
  readonly key: Uint8Array;
}

const writer = new KeyWriter();

/**
 * Sort key of a version text, computed without parsing: `unparseable` exactly where parseVersion returns it, else the
 * bytes of sortKey. Byte order of keys is version order within a scheme; equal versions with different spelling share
 * a key. A key has at most 1,000 bytes.
 */
export function versionKey(scheme: VersionScheme, text: string): VersionKey | UnparseableVersion {
  const parts = rulesOf(scheme).locate(text);
  return parts.kind === 'unparseable' ? parts : { kind: 'key', key: writeKey(scheme, text, parts) };
}

/** Sort key of a parsed version. Throws RangeError above 1,000 bytes, which no result of parseVersion can reach. */
export function sortKey(version: Version): Uint8Array {
  const { epoch, main, release } = rulesOf(version.scheme).partsOf(version);
  const versionEnd = epoch.length + main.length;
  const text = epoch + main + (release ?? '');
  return writeKey(version.scheme, text, {
    kind: 'parts',
    epochStart: 0,
    epochEnd: epoch.length,
    versionStart: epoch.length,
    versionEnd,
    releaseStart: release === null ? -1 : versionEnd,
    releaseEnd: text.length,
  });
}

function writeKey(scheme: VersionScheme, text: string, parts: VersionParts): Uint8Array {
  writer.reset();
  rulesOf(scheme).writeKey(writer, text, parts);
  return writer.finish();
}
