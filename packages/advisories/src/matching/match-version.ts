import { compareText, type PackageVersion, type Statement, type StatementJudgement } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import {
  coversBuild,
  hasFix,
  isAddOnLine,
  type LineOfCve,
  linesOfCves,
  type Matchable,
  namesArchitecture,
  subscriptionLine,
} from '../builds.ts';
import { distributionOf } from '../registry/distributions.ts';
import {
  exceptOverridden,
  type IsRepeated,
  isCveErratum,
  isOverridden,
  openCvesOf,
  outrankedRecords,
  repeatedRecords,
} from './cve-records.ts';
import { inTermsOf, type OwnErrata, ownErrataIn, yieldsToRebuild } from './source-versions.ts';

/** The fields of a classified package version that matching needs. */
export type VersionToMatch = Pick<
  PackageVersion,
  'architecture' | 'version' | 'sourceVersion' | 'matchKey' | 'verdict' | 'release'
>;

/**
 * The given statements that affect a package version, in order; empty if it cannot be compared: those without a fix, and
 * those with a higher fixed version. An erratum counts unless the vendor's records judge all of its CVEs (where notices
 * name several packages, any of them): then these records state per CVE whether the package is affected. Errata have
 * `openCves` if openCvesOf returns any.
 */
export function matchVersion<S extends Statement>(
  version: VersionToMatch,
  statements: readonly S[],
  isJudged: IsJudged,
): readonly S[] {
  const subject = matchableOf(version);
  if (subject === null) return [];
  const judged = explainVersion(version, statements, isJudged);
  const affecting = new Set(
    judged.flatMap(({ statement, judgement }) => (judgement === 'affected' ? [statement.statementId] : [])),
  );
  const open = openCvesOf(judged, subject.key);
  return statements.flatMap((statement) => {
    if (!affecting.has(statement.statementId)) return [];
    const openCves = open.get(statement.statementId);
    return openCves === undefined ? [statement] : [{ ...statement, openCves }];
  });
}

/**
 * The judgement of each statement about a package version, expressed in its own versions and ordered by external id;
 * empty if the version cannot be compared.
 */
export function explainVersion(
  version: VersionToMatch,
  statements: readonly Statement[],
  isJudged: IsJudged,
): readonly JudgedStatement[] {
  const subject = matchableOf(version);
  if (subject === null) return [];
  return judgementsOf(
    subject,
    statements.map((statement) => inTermsOf(statement, version)),
    isJudged,
  );
}

/**
 * Whether a statement in force is about other builds than a package version, which lacks its fix: of these builds, the
 * version would be open to it.
 */
export function isOpenToOtherBuilds(
  version: VersionToMatch,
  statement: Pick<Statement, 'builds' | 'names' | 'fix'>,
): boolean {
  const subject = matchableOf(version);
  if (subject === null || coversBuild(statement, subject)) return false;
  const { fix } = inTermsOf(statement, version);
  return fix.kind === 'unfixed' || compareKeys(subject.key, fix.key) < 0;
}

/** The CVEs that advisories state as fixed in a package version, sorted. */
export function cvesFixedIn(
  version: VersionToMatch,
  statements: readonly Statement[],
  isJudged: IsJudged,
): readonly string[] {
  const judged = explainVersion(version, statements, isJudged);
  const fixed = judged.filter(({ judgement }) => judgement === 'fixed');
  const open = new Set(
    judged.flatMap(({ statement, judgement }) => (judgement === 'affected' ? statement.cves : [])),
  );
  const cves = new Set(fixed.flatMap(({ statement }) => statement.cves));
  return [...cves].filter((cve) => !open.has(cve)).sort(compareText);
}

function matchableOf({ architecture, matchKey: key, verdict, release }: VersionToMatch): Matchable | null {
  if (key === null || verdict.kind !== 'comparable') return null;
  const { module, line, follows } = verdict;
  return {
    key,
    architecture,
    module,
    line,
    ...(follows === undefined ? {} : { follows }),
    ...(distributionOf(release)?.noticesNamePackages === 'several' ? { foldsByAny: true as const } : {}),
  };
}

/** Whether the vendor's non-withdrawn vulnerability records judge a CVE for the package's release; see areJudgementOf. */
export type IsJudged = (cve: string) => boolean;

/** A statement with its judgement. */
export interface JudgedStatement {
  readonly statement: Statement;
  readonly judgement: StatementJudgement;
}

/** The judgement of each statement about a build, ordered by external id. */
function judgementsOf(
  subject: Matchable,
  statements: readonly Statement[],
  isJudged: IsJudged,
): readonly JudgedStatement[] {
  const refinements = refinementsOf(subject, statements);
  const speaks = subject.foldsByAny === true ? exceptOverridden(subject.key, statements, isJudged) : isJudged;
  return [...statements]
    .sort(compareStatements)
    .map((statement) => ({ statement, judgement: judge(subject, statement, refinements, speaks) }));
}

/** Statements that replace less specific ones. */
interface Refinements {
  /** Advisories, by external id, that name the package with its architecture. Lists of architectures have gaps. */
  readonly detailed: ReadonlySet<string>;
  readonly lineOfCve: LineOfCve;
  /** Advisories, by external id, that name the package itself, not only its source. */
  readonly direct: ReadonlySet<string>;
  /** CVEs in the package's advisories, except those that only state an unfixed source. */
  readonly answered: ReadonlySet<string>;
  /** The CVEs among them that errata answer: published updates, not records about one CVE. */
  readonly byErrata: ReadonlySet<string>;
  readonly isRepeated: IsRepeated;
  /** The errata of the release's own distribution; upstream's give way to them. */
  readonly own: OwnErrata;
}

function refinementsOf(subject: Matchable, statements: readonly Statement[]): Refinements {
  const detailed = new Set<string>();
  const direct = new Set<string>();
  const answered = new Set<string>();
  const byErrata = new Set<string>();
  const none = { lineOfCve: () => undefined, isRepeated: () => false, own: ownErrataIn([]) };
  const standing = statements.filter(({ withdrawn }) => !withdrawn);
  // A statement about the source gives way to one about the package, and must not replace that one as well.
  for (const { builds, externalId, names } of standing)
    if (names === undefined && namesArchitecture(builds, subject)) detailed.add(externalId);
  const isAlike = subject.line === '' && subject.follows === undefined;
  if (isAlike && standing.every((statement) => isPlain(statement)))
    return { detailed, direct, answered, byErrata, ...none };
  const ofBuild = standing.filter((statement) => coversBuild(statement, subject));
  for (const statement of ofBuild) {
    const { externalId, cves, names, fix } = statement;
    if (names === undefined) direct.add(externalId);
    if (names !== undefined && fix.kind === 'unfixed') continue;
    for (const cve of cves) answered.add(cve);
    if (!isCveErratum(statement)) for (const cve of cves) byErrata.add(cve);
  }
  const isRepeatedErratum = repeatedRecords(ofBuild);
  const isOutranked = outrankedRecords(ofBuild);
  const isRepeated: IsRepeated = (statement) => isRepeatedErratum(statement) || isOutranked(statement);
  const found = { detailed, direct, answered, byErrata, isRepeated, own: ownErrataIn(ofBuild) };
  // A replaced statement must not select a line: then both statements would be dropped.
  const telling = ofBuild.filter((statement) => !yieldsToPackage(statement, found));
  return { ...found, lineOfCve: linesOfCves(subject, telling) };
}

function judge(
  subject: Matchable,
  statement: Statement,
  refinements: Refinements,
  isJudged: IsJudged,
): StatementJudgement {
  if (statement.withdrawn) return 'withdrawn';
  const { fix } = statement;
  if (!coversBuild(statement, subject)) return 'other_build';
  if (isRefined(statement, refinements)) return 'refined';
  if (hasFix(subject.key, fix)) return 'fixed';
  if (isOverridden(statement, subject.key)) return 'overridden';
  return isFolded(statement, isJudged, subject.foldsByAny === true) ? 'folded' : 'affected';
}

/** Whether a statement covers a build of the main line and neither refines nor repeats another one. */
function isPlain(statement: Statement): boolean {
  const { names, builds, leads } = statement;
  const isWhole = names === undefined && builds.line !== subscriptionLine;
  return isWhole && leads !== true && !isCveErratum(statement);
}

/**
 * Whether advisories about the package repeat or contradict a statement about its source, or errata or another record
 * repeat what a record about one CVE states.
 */
function yieldsToPackage(
  statement: Statement,
  { direct, answered, byErrata, isRepeated, own }: Omit<Refinements, 'detailed' | 'lineOfCve'>,
): boolean {
  const { externalId, cves, names, fix } = statement;
  if (yieldsToRebuild(statement, own)) return true;
  if (isCveErratum(statement) && cves.every((cve) => byErrata.has(cve))) return true;
  if (isRepeated(statement)) return true;
  if (names === undefined) return false;
  if (direct.has(externalId)) return true;
  return fix.kind === 'unfixed' && cves.length > 0 && cves.every((cve) => answered.has(cve));
}

function isRefined(statement: Statement, refinements: Refinements): boolean {
  const { builds, externalId, cves, names } = statement;
  const { detailed, lineOfCve } = refinements;
  if (yieldsToPackage(statement, refinements)) return true;
  if (names === undefined && builds.architectures.length === 0 && detailed.has(externalId)) return true;
  return (
    cves.length > 0 &&
    cves.every((cve) => {
      const line = lineOfCve(cve);
      return line !== undefined && line !== builds.line;
    })
  );
}

function isFolded({ kind, cves, builds }: Statement, isJudged: IsJudged, byAny: boolean): boolean {
  // The distribution's record of a CVE does not cover the add-on's package.
  if (isAddOnLine(builds.line)) return false;
  if (kind !== 'erratum' || cves.length === 0) return false;
  return byAny ? cves.some(isJudged) : cves.every(isJudged);
}

/** Does not depend on stored advisory ids. */
function compareStatements(a: Statement, b: Statement): number {
  return compareText(a.externalId, b.externalId) || a.statementId - b.statementId;
}
