import type { Statement, StatementJudgement } from '@plimsoll/model';
import { isCveErratum } from './cve-records.ts';
import { hasFix } from './has-fix.ts';

/** A statement with its judgement about one package version. */
export interface Judged {
  readonly statement: Statement;
  readonly judgement: StatementJudgement;
}

/**
 * The CVEs that are still open on a package version, for each of its affecting errata of which some are not, by
 * statement id. A CVE is not open if another advisory states a fixed version of the package that the package has
 * reached, and no advisory about that CVE alone affects the package, not even a record that errata replace. An erratum
 * of which no CVE is open has no entry: its vendor published it for a reason that its CVEs do not show.
 * @param key of the package version.
 */
export function openCvesOf(
  judged: readonly Judged[],
  key: Uint8Array,
): ReadonlyMap<number, readonly string[]> {
  const open = new Map<number, readonly string[]>();
  const errata = judged.filter(({ statement, judgement }) => isErratumOfSeveral(statement, judgement));
  if (errata.length === 0) return open;
  const fixers = fixersOf(judged, key);
  const alone = new Set(
    judged.flatMap(({ statement, judgement }) =>
      judgement === 'affected' || (judgement === 'refined' && !hasFix(key, statement.fix))
        ? onlyCveOf(statement)
        : [],
    ),
  );
  for (const { statement } of errata) {
    const { statementId, externalId, cves } = statement;
    const remaining = cves.filter(
      (cve) => alone.has(cve) || ![...(fixers.get(cve) ?? [])].some((fixer) => fixer !== externalId),
    );
    if (remaining.length > 0 && remaining.length < cves.length) open.set(statementId, remaining);
  }
  return open;
}

function onlyCveOf({ cves }: Statement): readonly string[] {
  return cves.length === 1 ? cves : [];
}

/** Whether the vendor's own record of a CVE, which errata replace, shows that the package has the fix. */
function isRecordOfFix(statement: Statement, key: Uint8Array): boolean {
  return isCveErratum(statement) && statement.names !== 'upstream_source' && hasFix(key, statement.fix);
}

function isErratumOfSeveral({ kind, cves }: Statement, judgement: StatementJudgement): boolean {
  return judgement === 'affected' && kind === 'erratum' && cves.length > 1;
}

/** The advisories, by external id, whose fix the package has, by CVE. */
function fixersOf(judged: readonly Judged[], key: Uint8Array): ReadonlyMap<string, ReadonlySet<string>> {
  const fixers = new Map<string, Set<string>>();
  for (const { statement, judgement } of judged) {
    if (judgement !== 'fixed' && !(judgement === 'refined' && isRecordOfFix(statement, key))) continue;
    for (const cve of statement.cves) {
      const ids = fixers.get(cve);
      if (ids === undefined) fixers.set(cve, new Set([statement.externalId]));
      else ids.add(statement.externalId);
    }
  }
  return fixers;
}
