import type { VersionScheme } from '@plimsoll/model';
import { compareDpkgVersions } from './dpkg/compare.ts';
import { parseDpkgVersion } from './dpkg/parse.ts';
import { locateDpkgParts } from './dpkg/parts.ts';
import { writeDpkgKey } from './dpkg/sort-key.ts';
import type { KeyWriter } from './key-writer.ts';
import { compareRpmVersions } from './rpm/compare.ts';
import { parseRpmVersion } from './rpm/parse.ts';
import { locateRpmParts } from './rpm/parts.ts';
import { writeRpmKey } from './rpm/sort-key.ts';
import type { Order, UnparseableVersion, Version, VersionOf } from './version.ts';
import type { VersionParts } from './version-parts.ts';

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
export function rulesOf(scheme: VersionScheme): SchemeRules<Version> {
  return schemes[scheme];
}
