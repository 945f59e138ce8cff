import type { Statement, StatementFix } from '@plimsoll/model';
import { compareKeys, versionKey } from '@plimsoll/versions';
import { splitEvr, withoutEpoch } from '../rpm/evr.ts';

/** A binary package with its source rpm's version. */
interface BuiltVersion {
  readonly version: string;
  readonly sourceVersion: string;
}

type Fixed = Extract<StatementFix, { kind: 'fixed' }>;

/**
 * Converts a statement to one binary package: a fix given as source rpm version becomes a fix in the package's own
 * version, because that is what is installed and offered. Whether the installed source is older than the fixed one
 * decides; epochs are ignored, because a source rpm's name has none. The fix of another distribution that the release is
 * rebuilt from is compared without dist tags and marks of rebuilds. Returns the statement unchanged if it names the
 * package itself, has no fix, or either version cannot be parsed.
 */
export function inTermsOf<S extends Pick<Statement, 'fix' | 'names'>>(statement: S, built: BuiltVersion): S {
  const { fix, names } = statement;
  if (names === undefined || names === null || fix.kind === 'unfixed') return statement;
  const own = ownFix(fix, built, names === 'upstream_source');
  return own === null ? statement : { ...statement, fix: own };
}

function ownFix(fix: Fixed, { version, sourceVersion }: BuiltVersion, isUpstream: boolean): Fixed | null {
  const source = withoutEpoch(sourceVersion);
  const fixed = withoutEpoch(fix.version);
  const compared = isUpstream ? inCommon({ rebuilt: source, upstream: fixed }) : [source, fixed];
  const [installedKey, sourceKey, fixedKey] = [version, ...compared].map(keyOf);
  if (!installedKey || !sourceKey || !fixedKey) return null;
  const isFixed = compareKeys(sourceKey, fixedKey) >= 0;
  const own = ownVersion(version, source, isUpstream ? withoutModuleBuild(fixed) : fixed);
  const key = own === null ? null : keyOf(own);
  // A package with independent versions may not follow its source: then only the side of the fix is known.
  if (own !== null && key && compareKeys(installedKey, key) >= 0 === isFixed) {
    return { ...fix, version: own, key };
  }
  if (isFixed) return { ...fix, version: fixed, key: installedKey };
  const next = keyOf(`${version}^`);
  return next === null ? null : { ...fix, version: fixed, key: next };
}

/**
 * The lowest version of a binary package when its source has the fixed version: the source's, if the package currently
 * has its source's version; its own version with the fixed release, if only the releases match; else null.
 */
function ownVersion(version: string, source: string, fixed: string): string | null {
  const installed = splitEvr(version);
  const from = splitEvr(source);
  const to = splitEvr(fixed);
  if (installed.release === '' || installed.release !== from.release) return null;
  const main = installed.version === from.version ? to.version : installed.version;
  const evr = `${main}-${to.release}`;
  return installed.epoch === '0' ? evr : `${installed.epoch}:${evr}`;
}

function keyOf(version: string): Uint8Array | null {
  const parsed = versionKey('rpm', version);
  return parsed.kind === 'key' ? parsed.key : null;
}

/**
 * `.module+el8.6.0+20623+f0897f98` and the text after it: every distribution numbers its module builds
 * itself.
 */
const moduleBuild = /\.module[_+]/;
/** Oracle's own number before the dist tag, `60.0.1.el9_2.7`. */
const numberBeforeTag = /\.0\.\d{1,4}(?=\.el\d)/;
/** A dist tag with a minor release, followed by a number. */
const updatedTag = /\.el\d{1,2}_\d{1,2}(?=\.\d)/;
const distTag = /\.el\d{1,2}(?:_\d{1,2})?/;
/** The number of a rebuild that changes only the packaging, `.rocky.0.1`, `.alma.1`. */
const rebuildMark = /\.(?:rocky|alma)(?:\.\d{1,4})*/;

/**
 * The common parts of two sources' `version-release` in Red Hat Enterprise Linux and a rebuild: without the
 * dist tag, the module's build and the rebuild's own marks. `60.el9_2.7`, `60.el9_2.7.rocky.0.1` and Oracle's
 * `60.0.1.el9_2.7` give `60.7`. Two builds that differ only in the dist tag are equal.
 */
function inCommon({
  rebuilt,
  upstream,
}: {
  readonly rebuilt: string;
  readonly upstream: string;
}): readonly [rebuilt: string, upstream: string] {
  const own = numberBeforeTag.test(upstream) ? rebuilt : rebuilt.replace(numberBeforeTag, '');
  const tags = [own, upstream].map((text) => updatedTag.exec(text)?.[0]);
  // Updates of two minor releases count their builds separately: `18.el8_4.2` is before `18.el8_5.1`.
  const ignored = tags.every((tag) => tag !== undefined) && tags[0] !== tags[1] ? '' : distTag;
  return [withoutTags(own, ignored), withoutTags(upstream, ignored)];
}

/**
 * Upstream's fixed version in a form that a rebuild can reach: without the module's build, which the rebuild
 * numbers itself.
 */
function withoutModuleBuild(text: string): string {
  const { version, release } = splitEvr(text);
  const start = release.split(moduleBuild, 1)[0] ?? '';
  return start === '' || start === release ? text : `${version}-${start}`;
}

function withoutTags(text: string, ignored: RegExp | ''): string {
  const { version, release } = splitEvr(text);
  const start = release.split(moduleBuild, 1)[0] ?? '';
  const number = start.replace(ignored, '').replace(rebuildMark, '');
  return number === '' ? text : `${version}-${number}`;
}

/** The number in an advisory's id, which rebuilds keep: `2023:1405` of `RHSA-2023:1405` and `RLSA-2023:1405`. */
function numberOf(externalId: string): string | null {
  return /^[A-Z]{4}-(\d{4}:\d{1,10})$/.exec(externalId)?.[1] ?? null;
}

/** A rebuilt distribution's own errata about one build. */
export interface OwnErrata {
  readonly numbers: ReadonlySet<string>;
  readonly cves: ReadonlySet<string>;
}

/** Reads own errata from the statements about a build. */
export function ownErrataIn(statements: readonly Statement[]): OwnErrata {
  const numbers = new Set<string>();
  const cves = new Set<string>();
  for (const { kind, names, externalId, cves: named, fix } of statements) {
    if (kind !== 'erratum' || names === 'upstream_source' || fix.kind === 'unfixed') continue;
    const number = numberOf(externalId);
    if (number !== null) numbers.add(number);
    for (const cve of named) cves.add(cve);
  }
  return { numbers, cves };
}

/**
 * Whether the rebuild's own errata replace upstream's fix: one of them has the number of upstream's advisory,
 * or they name all of its CVEs.
 */
export function yieldsToRebuild({ names, fix, externalId, cves }: Statement, own: OwnErrata): boolean {
  if (names !== 'upstream_source' || fix.kind === 'unfixed') return false;
  const number = numberOf(externalId);
  if (number !== null && own.numbers.has(number)) return true;
  return cves.length > 0 && cves.every((cve) => own.cves.has(cve));
}
