import type { Statement } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';

/** Whether the correction of a statement says that the version with a sort key is not affected. */
export function isOverridden({ override }: Pick<Statement, 'override'>, key: Uint8Array): boolean {
  if (override === undefined) return false;
  const { fromKey, beforeKey } = override;
  if (fromKey === null && beforeKey === null) return true;
  if (fromKey !== null && compareKeys(key, fromKey) < 0) return true;
  return beforeKey !== null && compareKeys(key, beforeKey) >= 0;
}

/**
 * Limits the CVEs whose records speak for an erratum to those that are not overridden for the version with a sort key: an
 * overridden record must not also hide what an erratum says of its other CVEs.
 */
export function exceptOverridden(
  key: Uint8Array,
  statements: readonly Statement[],
  isJudged: (cve: string) => boolean,
): (cve: string) => boolean {
  const overridden = statements.filter((statement) => isOverridden(statement, key));
  if (overridden.length === 0) return isJudged;
  const cves = new Set(overridden.flatMap((statement) => statement.cves));
  return (cve) => isJudged(cve) && !cves.has(cve);
}
