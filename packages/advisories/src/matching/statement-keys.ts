import type { AffectedPackage, StatementFix } from '@plimsoll/model';
import { versionKey } from '@plimsoll/versions';
import { distributionOf } from '../registry.ts';
import { buildsKey } from './builds-key.ts';

/** The comparison keys of a stored statement. */
export interface StatementKeys {
  /** With the sort key of the fixed version. */
  readonly fix: StatementFix;
  /** Equal for equal builds of equally named packages. */
  readonly buildsKey: string;
}

/**
 * Returns the keys of a parsed statement. Throws if its release belongs to no distribution or its fixed version has no
 * sort key; readings never contain such statements.
 */
export function statementKeys({ release, names, fix, builds }: AffectedPackage): StatementKeys {
  const key = buildsKey(builds, names ?? null);
  if (fix.kind === 'unfixed') return { fix, buildsKey: key };
  const distribution = distributionOf(release);
  if (distribution === null) throw new Error(`no distribution owns ${release}`);
  const keyed = versionKey(distribution.scheme, fix.version);
  if (keyed.kind === 'unparseable') throw new Error(`${fix.version} has no sort key: ${keyed.reason}`);
  return { fix: { ...fix, key: keyed.key }, buildsKey: key };
}
