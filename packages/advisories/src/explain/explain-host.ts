import type { ExplanationReason, PackageVersion } from '@plimsoll/model';
import type { Finding } from '../host/finding.ts';
import { distributionOf } from '../registry/distributions.ts';
import { earliestOf } from '../waivers/host-waivers.ts';
import { explainStatements } from './explain-statements.ts';
import {
  type ExplainedPackage,
  type ExplainedStatement,
  type Explanation,
  firstReason,
  gapOfReason,
  type Told,
  verdictOfReason,
} from './explanation.ts';
import { noVerdict } from './no-verdict.ts';
import { type AskedPackage, packagesAsked } from './packages-asked.ts';
import type { ExplainedHost, ExplainQuestion, HostPackage } from './question.ts';
import { ageOf, gapOfHost, gapSentence, groundSentence, reasonOfGap, type Silence } from './silence.ts';

/**
 * Explains a host's package with respect to an advisory. The host's assessment decides whether it is a finding; the
 * statements give the reason.
 */
export function explainHost(question: ExplainQuestion): Explanation {
  const { host, advisory, packageName, advisories, gaps } = question;
  const release = host?.release ?? null;
  const distribution = release === null ? null : distributionOf(release);
  const answer = (
    reason: ExplanationReason,
    detail: string,
    { packages = [], gap = gapOfReason(reason) }: Partial<Pick<Explanation, 'packages' | 'gap'>> = {},
  ): Explanation => ({
    verdict: verdictOfReason(reason),
    reason,
    gap,
    detail,
    release,
    comparator: distribution?.scheme ?? null,
    packages,
  });
  if (host === null) return answer('not_reported', 'The host has sent no snapshot that was matched yet.');
  const asked = packagesAsked(host, packageName);
  const silence = { host, gaps, advisories };
  if (asked.length === 0) {
    const sentence = `The newest report of the host has no package ${packageName}, and none built from such a source.`;
    return gaps.includes('report_outdated')
      ? answer('report_outdated', `${sentence} ${gapSentence('report_outdated', silence)}`)
      : answer('not_installed', sentence);
  }
  if (advisories.length === 0) {
    return answer('unknown_advisory', unknownSentence(advisory, silence), { gap: gapOfHost(silence) });
  }
  const packages = asked.map((entry) => explainAsked(entry, host, question));
  const reason = firstReason(packages.map((entry) => entry.reason)) ?? 'not_listed';
  const decisive = packages.find((entry) => entry.reason === reason);
  return answer(reason, decisive?.detail ?? '', { packages });
}

/** The sentence for an advisory that no feed has; names the feed that could have it. */
function unknownSentence(advisory: string, { host: { release, feed }, gaps }: Silence): string {
  const whose =
    feed === null || gaps.includes('no_feed')
      ? `No feed covers ${release}.`
      : `${feed.id}, the feed that covers ${release} and could know it, ${ageOf(feed)}.`;
  return `${advisory} is not known here: no feed has an advisory or a CVE of this name. ${whose}`;
}

function explainAsked(
  { installed, judged }: AskedPackage<HostPackage>,
  host: ExplainedHost,
  { advisory, advisories, stated, gaps }: ExplainQuestion,
): ExplainedPackage {
  const { version } = judged;
  const { verdict } = version;
  const { assessment } = host;
  const scheme = distributionOf(host.release)?.scheme ?? null;
  const said = stated.get(version.id) ?? { statements: [], judgedCves: new Set<string>() };
  const finding = assessment.findings.find(({ packageId }) => packageId === installed.version.id) ?? null;
  const statements = explainStatements(version, said, advisory, advisories, scheme).map((statement) =>
    withOpenSeverity(statement, finding),
  );
  const found = foundIn(finding, statements);
  const told =
    found ??
    noVerdict({ installed, judged }, assessment) ??
    notAFinding(judged.version, statements, { host, gaps, advisories });
  return {
    name: installed.version.name,
    architecture: installed.version.architecture,
    installedVersion: installed.version.version,
    sourceName: version.sourceName,
    sourceVersion: version.sourceVersion,
    matchName: verdict.kind === 'comparable' ? verdict.matchName : null,
    comparedVersion: verdict.kind === 'comparable' ? verdict.matchVersion : null,
    severity: null,
    fixState: null,
    fixedVersion: null,
    waiver: null,
    ...told,
    gap: gapOfReason(told.reason),
    statements,
  };
}

/** A statement with its severity in the finding: that of the CVEs that are open on the package. */
function withOpenSeverity(explained: ExplainedStatement, finding: Finding | null): ExplainedStatement {
  if (explained.judgement !== 'affected') return explained;
  const open = finding?.advisories.find(({ statement }) => statement.externalId === explained.externalId);
  return open === undefined ? explained : { ...explained, severity: open.statement.severity };
}

/** The answer if the finding contains one of the statements that affect the package. */
function foundIn(finding: Finding | null, statements: readonly ExplainedStatement[]): Told | null {
  const affecting = statements.filter(({ judgement }) => judgement === 'affected');
  const open = finding?.advisories.filter(({ statement }) =>
    affecting.some(({ externalId }) => externalId === statement.externalId),
  );
  const visible = open?.filter(({ statement }) => statement.severity !== 'none') ?? [];
  const first = visible[0] ?? open?.[0];
  if (first === undefined) return null;
  const { statement, fixState } = first;
  const hidden = statement.severity === 'none';
  const sentence = affecting.find(({ externalId }) => externalId === statement.externalId)?.detail ?? '';
  return {
    reason: hidden ? 'hidden' : 'finding',
    detail: hidden ? `${sentence} The vendor calls it negligible: it is in no count.` : sentence,
    severity: statement.severity,
    fixState,
    fixedVersion: statement.fix.kind === 'fixed' ? statement.fix.version : null,
    waiver: earliestOf(visible.map(({ waiver }) => waiver)),
  };
}

/** The answer from the statements; without statements, from the packages that the advisory names. */
function notAFinding(
  version: PackageVersion,
  statements: readonly ExplainedStatement[],
  silence: Silence,
): Told {
  const reason = firstReason(statements.flatMap(({ judgement }) => reasonsOf[judgement] ?? []));
  if (reason === 'no_verdict') {
    return { reason, detail: 'The advisory affects it, and the host has not been matched again yet.' };
  }
  if (reason !== null) {
    const details = statements.filter(({ judgement }) => reasonsOf[judgement] === reason);
    const told = { reason, detail: details.map(({ detail }) => detail).join(' ') };
    return reason === 'other_build' ? unlessUnknown(told, silence) : told;
  }
  return unlessUnknown(silent(version, silence), silence);
}

/** The packages that the advisory's records name instead. */
function silent(
  { matchName: name, sourceName }: PackageVersion,
  { advisories, host: { release } }: Silence,
): Told {
  const mentions = advisories
    .flatMap(({ packages }) => packages)
    .filter((entry) => entry.name === (entry.ofSource ? sourceName : name));
  const ids = [...new Set(advisories.map(({ externalId }) => externalId))].join(', ');
  if (mentions.length > 0) {
    const releases = [...new Set(mentions.map((entry) => entry.release))].sort().join(', ');
    return {
      reason: 'other_release',
      detail: `${ids}: ${name} is named for ${releases} and not for ${release}.`,
    };
  }
  return { reason: 'not_listed', detail: `${ids}: ${name} is not among the packages it names.` };
}

/** A negative answer if the silence of the feed allows one; otherwise the gap that prevents it. */
function unlessUnknown({ reason, detail }: Told, silence: Silence): Told {
  const gap = gapOfHost(silence);
  if (gap !== null) return { reason: reasonOfGap(gap), detail: `${detail} ${gapSentence(gap, silence)}` };
  return { reason, detail: reason === 'other_build' ? detail : `${detail} ${groundSentence(silence)}` };
}

/** `affected` without a finding: the package is not matched with the feed's newest data yet. */
const reasonsOf: Partial<Record<ExplainedStatement['judgement'], ExplanationReason>> = {
  affected: 'no_verdict',
  fixed: 'fixed',
  other_build: 'other_build',
  refined: 'refined',
  withdrawn: 'withdrawn',
  folded: 'folded',
  overridden: 'overridden',
};
