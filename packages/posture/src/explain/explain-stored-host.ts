import { type Assessment, distributionOf, type Finding, type Verdict } from '@plimsoll/advisories';
import type { HostToAssess, InstalledVersion, NamedAdvisory, StatedVersion } from '@plimsoll/db';
import type { ExplanationReason, Gap, PackageVersionId } from '@plimsoll/model';
import { assessStoredHost } from '../assess-stored-host.ts';
import { verdictIn } from '../assessed-package.ts';
import { explainStatements } from './explain-statement.ts';
import {
  type ExplainedPackage,
  type ExplainedStatement,
  type Explanation,
  firstReason,
  gapOfReason,
  verdictOfReason,
} from './explanation.ts';
import { ageOf, gapOfStoredHost, gapSentence, groundSentence, reasonOfGap, type Silence } from './silence.ts';

/** Why an advisory is a finding on a package of a host, or is none. */
export interface ExplainQuestion {
  /** As it was asked for. */
  readonly advisory: string;
  /** A binary package, or failing that a source package. */
  readonly packageName: string;
  /** Null where nothing of the host was matched yet. */
  readonly host: HostToAssess | null;
  /** The host's, as `host_overview` has them. */
  readonly gaps: readonly Gap[];
  /** What feeds have under the advisory's name. */
  readonly advisories: readonly NamedAdvisory[];
  /** What is said of the packages that `packagesAsked` names. */
  readonly stated: ReadonlyMap<PackageVersionId, StatedVersion>;
}

/** The installed packages that a name means, with the kernel that really runs in place of the one it replaced. */
export function packagesAsked(host: HostToAssess, name: string): readonly AskedPackage[] {
  const all = askable(host);
  const named = all.filter(({ judged }) => judged.version.name === name);
  if (named.length > 0) return named;
  return all.filter(({ judged: { version } }) => version.sourceName === name || version.matchName === name);
}

/** A package that is installed, and the one that is judged for it: of a kernel the one that runs. */
export interface AskedPackage {
  readonly installed: InstalledVersion;
  readonly judged: InstalledVersion;
}

function askable({ packages, runningKernel }: HostToAssess): readonly AskedPackage[] {
  const asked = packages.map((installed) => ({ installed, judged: installed }));
  if (runningKernel === null) return asked;
  const { name, architecture } = runningKernel.version;
  const replaced = asked.findIndex(
    ({ installed: { version } }) => version.name === name && version.architecture === architecture,
  );
  if (replaced === -1) return [...asked, { installed: runningKernel, judged: runningKernel }];
  return asked.map((entry, index) =>
    index === replaced ? { installed: entry.installed, judged: runningKernel } : entry,
  );
}

/**
 * Explains a host's package against an advisory. What is a finding is what assessing the host finds; the rest is told
 * from the statements.
 */
export function explainStoredHost(question: ExplainQuestion): Explanation {
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
    return answer('unknown_advisory', unknownSentence(advisory, silence), { gap: gapOfStoredHost(silence) });
  }
  const assessment = assessStoredHost(host);
  const packages = asked.map((entry) => explainAsked(entry, host, assessment, question));
  const reason = firstReason(packages.map((entry) => entry.reason)) ?? 'not_listed';
  const decisive = packages.find((entry) => entry.reason === reason);
  return answer(reason, decisive?.detail ?? '', { packages });
}

/** Which feed could know an advisory that no feed has. */
function unknownSentence(advisory: string, { host: { release, feed }, gaps }: Silence): string {
  const whose =
    feed === null || gaps.includes('no_feed')
      ? `No feed speaks for ${release}.`
      : `${feed.id}, the feed that speaks for ${release} and could know it, ${ageOf(feed)}.`;
  return `${advisory} is not known here: no feed has an advisory or a CVE of this name. ${whose}`;
}

function explainAsked(
  { installed, judged }: AskedPackage,
  host: HostToAssess,
  assessment: Assessment,
  { advisory, advisories, stated, gaps }: ExplainQuestion,
): ExplainedPackage {
  const { version } = judged;
  const verdict = verdictIn(version);
  const scheme = distributionOf(host.release)?.scheme ?? null;
  const said = stated.get(version.id) ?? { statements: [], judgedCves: new Set<string>() };
  const statements = explainStatements(version, said, advisory, advisories, scheme);
  const finding = assessment.findings.find(({ packageId }) => packageId === installed.version.id) ?? null;
  const found = foundIn(finding, statements);
  const told =
    found ??
    noVerdict({ installed, judged }, verdict, assessment) ??
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
    ...told,
    gap: gapOfReason(told.reason),
    statements,
  };
}

type Told = Pick<ExplainedPackage, 'reason' | 'detail'> &
  Partial<Pick<ExplainedPackage, 'severity' | 'fixState' | 'fixedVersion'>>;

/** The answer where the finding holds one of the statements that affect the package. */
function foundIn(finding: Finding | null, statements: readonly ExplainedStatement[]): Told | null {
  const affecting = statements.filter(({ judgement }) => judgement === 'affected');
  const open = finding?.advisories.filter(({ statement }) =>
    affecting.some(({ externalId }) => externalId === statement.externalId),
  );
  const first = open?.find(({ statement }) => statement.severity !== 'none') ?? open?.[0];
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
  };
}

/** The answer where rules keep the package from having findings at all. */
function noVerdict(
  { installed, judged: { version } }: AskedPackage,
  verdict: Verdict,
  assessment: Assessment,
): Told | null {
  if (verdict.kind === 'excluded') {
    const why =
      verdict.reason === 'kernel_companion' || verdict.reason === 'kernel_metapackage'
        ? 'it comes with the kernel, and findings of the kernel are those of the one that runs'
        : String(verdict.reason).replaceAll('_', ' ');
    return { reason: 'excluded', detail: `${version.name} raises no findings of its own: ${why}.` };
  }
  const { kernel } = verdict;
  if (kernel !== null && !assessment.judged.has(installed.version.id)) {
    const { runningKernel, rebootReasons, installedKernels } = assessment.kernelPosture;
    const runs = installedKernels.some(
      (image) =>
        image.running &&
        (kernel.role === 'part'
          ? image.release === kernel.release
          : image.package === version.name && image.version === version.version),
    );
    if (rebootReasons.some(({ code }) => code === 'container')) {
      return {
        reason: 'kernel_not_running',
        detail: 'A container runs the kernel of its host, not this one.',
      };
    }
    if (runningKernel === null) {
      return { reason: 'no_verdict', detail: 'The host does not say which kernel runs.' };
    }
    if (!runs) {
      const detail = `${version.name} ${version.version} does not run, ${runningKernel} does; findings are those of the running kernel.`;
      return { reason: 'kernel_not_running', detail };
    }
  }
  if (verdict.kind !== 'unknown') return null;
  const why = `${verdict.reason.replaceAll('_', ' ')}${verdict.detail === '' ? '' : ` (${verdict.detail})`}`;
  return {
    reason: 'no_verdict',
    detail: `Nothing can be said of ${version.name} ${version.version}: ${why}.`,
  };
}

/** The answer from the statements, and where there are none, from what the advisory names. */
function notAFinding(
  version: InstalledVersion['version'],
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

/** What the records of the advisory name instead of the package. */
function silent(
  { matchName: name, sourceName }: InstalledVersion['version'],
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

/** A negative answer, where the silence of the feed allows one; else what is missing for it. */
function unlessUnknown({ reason, detail }: Told, silence: Silence): Told {
  const gap = gapOfStoredHost(silence);
  if (gap !== null) return { reason: reasonOfGap(gap), detail: `${detail} ${gapSentence(gap, silence)}` };
  return { reason, detail: reason === 'other_build' ? detail : `${detail} ${groundSentence(silence)}` };
}

/** `affected` without a finding: matching has not caught up with the feed. */
const reasonsOf: Partial<Record<ExplainedStatement['judgement'], ExplanationReason>> = {
  affected: 'no_verdict',
  fixed: 'fixed',
  other_build: 'other_build',
  refined: 'refined',
  withdrawn: 'withdrawn',
  folded: 'folded',
  not_compared: 'no_verdict',
};
