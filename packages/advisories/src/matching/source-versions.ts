import type { Statement, StatementFix } from '@plimsoll/model';
import { compareKeys, versionKey } from '@plimsoll/versions';
import { splitEvr, withoutEpoch } from '../rpm/evr.ts';
import { inCommon, withoutModuleBuild } from './upstream-build.ts';

/** A binary package with its source rpm's version. */
export interface BuiltVersion {
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
export function inTermsOf<S extends Statement>(statement: S, built: BuiltVersion): S {
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

const rebuildSuffix = /\+b\d+$/;

/**
 * Returns a binary package version without its rebuild suffix, which source versions lack: `5.2.15-2` for
 * `5.2.15-2+b8` (Debian developer's reference, binary-only uploads).
 */
export function withoutRebuildSuffix(version: string): string {
  return version.replace(rebuildSuffix, '');
}
