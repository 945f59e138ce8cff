import type { AffectedPackage, Release, StatementFix } from '@plimsoll/model';
import { versionKey } from '@plimsoll/versions';
import { buildsKey } from '../builds.ts';
import { distributionOf } from '../registry/distributions.ts';

/** The comparison keys of a stored statement. */
interface StatementKeys {
  /** With the sort key of the fixed or pending version. */
  readonly fix: StatementFix;
  /** Equal for equal builds of equally named packages. */
  readonly buildsKey: string;
}

/**
 * Returns the keys of a parsed statement. Throws if its release belongs to no distribution or its version has no sort
 * key; readings never contain such statements.
 */
export function statementKeys({ release, names, fix, builds }: AffectedPackage): StatementKeys {
  const key = buildsKey(builds, names ?? null);
  if (fix.kind === 'fixed') return { fix: { ...fix, key: keyIn(release, fix.version) }, buildsKey: key };
  const { pending, ...unfixed } = fix;
  if (pending === undefined) return { fix: unfixed, buildsKey: key };
  return { fix: { ...unfixed, pendingKey: keyIn(release, pending) }, buildsKey: key };
}

function keyIn(release: Release, version: string): Uint8Array {
  const distribution = distributionOf(release);
  if (distribution === null) throw new Error(`no distribution owns ${release}`);
  const keyed = versionKey(distribution.scheme, version);
  if (keyed.kind === 'unparseable') throw new Error(`${version} has no sort key: ${keyed.reason}`);
  return keyed.key;
}
