import { explainVersion, isVisible, type JudgedStatement, matchedVerdict } from '@plimsoll/advisories';
import type { PackageVersion, Statement } from '@plimsoll/model';

/** The judgement of the statements of one CVE about one package version. */
export interface VersionJudgement {
  /**
   * `negligible`: affected, but the vendor rates it as no issue. `unchecked`: no statement can be compared with it.
   * `other_build`: it is not one of the builds that the statements name. `overridden`: the list of known feed errors says
   * that it is not affected.
   */
  readonly kind: 'affected' | 'negligible' | 'fixed' | 'unchecked' | 'other_build' | 'overridden';
  /** The lowest version with every fix of the CVE; null if no fix is published. */
  readonly fixedVersion: string | null;
}

/**
 * Judges a package version under one CVE.
 * An erratum that gave way to the records of its other CVEs leaves a CVE without a record unchecked.
 * @param isJudged whether the vendor's vulnerability records judge a CVE for the version's release.
 */
export function judgeVersion(
  version: PackageVersion,
  statements: readonly Statement[],
  isJudged: (cve: string) => boolean,
  cve: string,
): VersionJudgement {
  const judged = explainVersion(version, statements, isJudged);
  const about = judged.filter(({ statement }) => statement.cves.includes(cve));
  const isUnjudged = !isJudged(cve) && about.some(({ judgement }) => judgement === 'folded');
  return { kind: isUnjudged ? 'unchecked' : kindOf(version, about), fixedVersion: fixedVersionOf(about) };
}

function kindOf({ verdict }: PackageVersion, judged: readonly JudgedStatement[]): VersionJudgement['kind'] {
  const affecting = judged.filter(({ judgement }) => judgement === 'affected');
  if (affecting.length > 0)
    return affecting.some(({ statement }) => isVisible(statement)) ? 'affected' : 'negligible';
  if (judged.some(({ judgement }) => judgement === 'fixed')) return 'fixed';
  // For a build of a closed line, only statements that affect it or are fixed in it are meaningful.
  if (matchedVerdict({ verdict, statements: [] }).kind === 'unknown') return 'unchecked';
  return judged.some(({ judgement }) => judgement === 'overridden') ? 'overridden' : 'other_build';
}

/** From the statements that affect the version or, without any, from those whose fix it contains. */
function fixedVersionOf(judged: readonly JudgedStatement[]): string | null {
  const of = (judgement: JudgedStatement['judgement']) =>
    judged.flatMap(({ statement, judgement: is }) =>
      is === judgement && statement.fix.kind === 'fixed' ? [statement.fix] : [],
    );
  const affecting = judged.some(({ judgement }) => judgement === 'affected');
  const [first, ...others] = of(affecting ? 'affected' : 'fixed');
  if (first === undefined) return null;
  return others.reduce((high, fix) => (Buffer.compare(fix.key, high.key) > 0 ? fix : high), first).version;
}
