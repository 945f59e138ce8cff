import type { Statement, StatementFix } from '@plimsoll/model';
import { compareKeys, versionKey } from '@plimsoll/versions';
import { splitEvr, withoutEpoch } from '../rpm/evr.ts';

/** A binary package with the version of the source rpm that it is built from. */
export interface BuiltVersion {
  readonly version: string;
  readonly sourceVersion: string;
}

type Fixed = Extract<StatementFix, { kind: 'fixed' }>;

/**
 * A statement as it reads for one binary package: a fix that is told by the version of the source rpm becomes one by the
 * package's own version, because that is what is installed and offered. Whether the source is older than the fixed one
 * decides; epochs do not, because a source rpm's name has none. Statements that name the package itself, or no fix, stay
 * as they are, and where either version cannot be read.
 */
export function inTermsOf<S extends Statement>(statement: S, built: BuiltVersion): S {
  const { fix, names } = statement;
  if (names === undefined || names === null || fix.kind === 'unfixed') return statement;
  const own = ownFix(fix, built);
  return own === null ? statement : { ...statement, fix: own };
}

function ownFix(fix: Fixed, { version, sourceVersion }: BuiltVersion): Fixed | null {
  const source = withoutEpoch(sourceVersion);
  const fixed = withoutEpoch(fix.version);
  const [installedKey, sourceKey, fixedKey] = [version, source, fixed].map(keyOf);
  if (!installedKey || !sourceKey || !fixedKey) return null;
  const isFixed = compareKeys(sourceKey, fixedKey) >= 0;
  const own = ownVersion(version, source, fixed);
  const key = own === null ? null : keyOf(own);
  // A package that counts for itself may not move with its source: then all that is known is on which side it is.
  if (own !== null && key && compareKeys(installedKey, key) >= 0 === isFixed) {
    return { ...fix, version: own, key };
  }
  if (isFixed) return { ...fix, version: fixed, key: installedKey };
  const next = keyOf(`${version}^`);
  return next === null ? null : { ...fix, version: fixed, key: next };
}

/**
 * The lowest version that a binary package has when its source has the fixed one: the source's, where it has that of its
 * source now; its own with the fixed release, where it shares only the release; else null.
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
