import type { VersionScheme } from '@plimsoll/model';
import { compareDpkgVersions, locateDpkgParts, parseDpkgVersion, writeDpkgKey } from './dpkg-version.ts';
import { KeyWriter } from './numbers.ts';
import { compareRpmVersions, locateRpmParts, parseRpmVersion, writeRpmKey } from './rpm-version.ts';
import type {
  Order,
  ParsedVersion,
  UnparseableVersion,
  Version,
  VersionOf,
  VersionParts,
} from './version.ts';

/** The rules of one scheme. */
interface SchemeRules<V extends Version> {
  /** Finds the parts of a text; refuses exactly what `parse` refuses. */
  locate(text: string): VersionParts | UnparseableVersion;
  parse(text: string): V | UnparseableVersion;
  compare(a: V, b: V): Order;
  /** Appends the sort key of the parts that `locate` found in `text`. */
  writeKey(key: KeyWriter, text: string, parts: VersionParts): void;
  /** The texts of a parsed version's parts, for `writeKey`; `release` is null if absent. */
  partsOf(version: V): PartTexts;
  /** The same version with epoch 0. */
  withoutEpoch(version: V): V;
}

interface PartTexts {
  readonly epoch: string;
  readonly main: string;
  readonly release: string | null;
}

const schemes: { readonly [S in VersionScheme]: SchemeRules<VersionOf<S>> } = {
  dpkg: {
    locate: locateDpkgParts,
    parse: parseDpkgVersion,
    compare: compareDpkgVersions,
    writeKey: writeDpkgKey,
    partsOf: ({ epoch, upstream, revision }) => ({ epoch, main: upstream, release: revision }),
    withoutEpoch: (version) => ({ ...version, epoch: '0' }),
  },
  rpm: {
    locate: locateRpmParts,
    parse: parseRpmVersion,
    compare: compareRpmVersions,
    writeKey: writeRpmKey,
    partsOf: ({ epoch, version, release }) => ({ epoch, main: version, release }),
    withoutEpoch: (version) => ({ ...version, epoch: '0' }),
  },
};

/** Returns the rules of a scheme. Call `compare`, `partsOf` and `withoutEpoch` only with versions of that scheme. */
function rulesOf(scheme: VersionScheme): SchemeRules<Version> {
  return schemes[scheme];
}

/**
 * Parses a version text by the rules of its scheme. Never throws: returns `unparseable` for an invalid text. A missing
 * epoch and `(none)` are epoch 0.
 */
export function parseVersion(scheme: VersionScheme, text: string): ParsedVersion {
  return rulesOf(scheme).parse(text);
}

/**
 * Orders two parsed versions of one scheme without their keys. Total on versions of that scheme. Versions that differ
 * only in spelling (leading zeros, epoch 0, rpm separators) are equal. Throws TypeError on a version of another
 * scheme, because versions of different schemes have no order.
 */
export function compareVersions(scheme: VersionScheme, a: Version, b: Version): Order {
  if (a.scheme !== scheme || b.scheme !== scheme) {
    throw new TypeError(`cannot compare a ${a.scheme} and a ${b.scheme} version as ${scheme}`);
  }
  return rulesOf(scheme).compare(a, b);
}

/** The same version with epoch 0. */
export function withoutEpoch(version: Version): Version {
  return rulesOf(version.scheme).withoutEpoch(version);
}

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
