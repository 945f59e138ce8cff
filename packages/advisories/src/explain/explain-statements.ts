import type { ComparableVerdict, PackageVersion, Statement } from '@plimsoll/model';
import { compareKeys, type VersionScheme } from '@plimsoll/versions';
import { hasFix } from '../builds.ts';
import type { JudgedStatement } from '../matching/match-version.ts';
import { explainVersion } from '../matching/match-version.ts';
import type { ExplainedStatement } from './explanation.ts';
import type { NamedAdvisory, StatedVersion } from './question.ts';

/**
 * Judges the statements of some advisories about a package version, by id. If an erratum was requested by its own id,
 * includes the vulnerability records of its CVEs, which may replace it.
 * @param asked the request for the advisories: an id, an alias or a CVE.
 */
export function explainStatements(
  version: PackageVersion,
  { statements, judgedCves }: StatedVersion,
  asked: string,
  advisories: readonly NamedAdvisory[],
  scheme: VersionScheme | null,
): readonly ExplainedStatement[] {
  const { verdict, matchKey: key, architecture, sourceName } = version;
  if (verdict.kind !== 'comparable' || key === null) return [];
  const keys = new Set<number>(advisories.map((advisory) => advisory.key));
  const cve = asked.toUpperCase();
  const aboutCve = new Set<number>(
    advisories.flatMap((advisory) => (advisory.cves.includes(cve) ? [advisory.key] : [])),
  );
  // An erratum can have the CVE in other releases alone.
  const isAsked = ({ advisory, cves }: Statement) =>
    keys.has(advisory) && (cves.includes(cve) || !aboutCve.has(advisory));
  const errata = statements.filter((statement) => isAsked(statement) && statement.kind === 'erratum');
  const speakers = new Set(errata.flatMap(({ cves }) => (cves.includes(cve) ? [] : cves)));
  return explainVersion(version, statements, (named) => judgedCves.has(named))
    .filter(
      ({ statement }) =>
        isAsked(statement) ||
        (statement.kind === 'vulnerability' && statement.cves.some((named) => speakers.has(named))),
    )
    .map((judged) => ({
      externalId: judged.statement.externalId,
      judgement: judged.judgement,
      detail: sentenceOf(judged, { verdict, key, architecture, sourceName, scheme }),
      severity: judged.statement.severity,
      fixedVersion: judged.statement.fix.kind === 'fixed' ? judged.statement.fix.version : null,
    }));
}

interface Subject {
  readonly verdict: ComparableVerdict;
  readonly key: Uint8Array;
  readonly architecture: string;
  readonly sourceName: string;
  readonly scheme: VersionScheme | null;
}

function sentenceOf({ statement, judgement }: JudgedStatement, subject: Subject): string {
  const { externalId, builds, cves } = statement;
  switch (judgement) {
    case 'affected':
      return statement.override === undefined
        ? comparison(statement, subject)
        : `${comparison(statement, subject)} ${overrideSentence(statement)}`;
    case 'fixed':
      return comparison(statement, subject);
    case 'overridden':
      return `${comparison(statement, subject)} ${overrideSentence(statement)} So the installed version is not affected.`;
    case 'withdrawn':
      return `The vendor has withdrawn ${externalId}.`;
    case 'folded':
      return `${externalId} ships fixes for ${cves.join(', ')}; the vendor's records of CVEs count in its place.`;
    case 'other_build': {
      const spoken = [
        builds.architectures.length === 0 ? null : `architecture ${builds.architectures.join(', ')}`,
        builds.module === null ? null : moduleText(builds.module),
        builds.line === null ? null : `line ${builds.line}`,
      ].filter((part) => part !== null);
      const own = [
        subject.architecture,
        moduleText(subject.verdict.module),
        ...(subject.verdict.line === '' ? [] : [`line ${subject.verdict.line}`]),
        ...(subject.verdict.follows === undefined ? [] : [`a host that follows ${subject.verdict.follows}`]),
      ];
      return `${externalId} speaks of builds of ${spoken.join(', ')}; this one is of ${own.join(', ')}.`;
    }
    case 'refined':
      if (statement.names === 'upstream_source' && statement.fix.kind === 'fixed')
        return `Other advisories about the package name what ${externalId} of the distribution that this one is rebuilt from fixes, and count in its place.`;
      return statement.names !== undefined && statement.fix.kind === 'unfixed'
        ? `Advisories about the package itself name what ${externalId} calls unfixed, and count in its place.`
        : `Another statement says what ${externalId} says in more detail, and counts in its place.`;
    default:
      return judgement satisfies never;
  }
}

/** The correction of a statement in a sentence; empty without one. */
function overrideSentence({ externalId, override }: Pick<Statement, 'externalId' | 'override'>): string {
  return override === undefined
    ? ''
    : `What the feed says of ${externalId} is overridden: ${override.reason} Source: ${override.source}.`;
}

function moduleText(module: string): string {
  return module === '' ? 'no module' : `module ${module}`;
}

function comparison(
  { externalId, fix, names }: Statement,
  { verdict, key, scheme, sourceName }: Subject,
): string {
  const { matchName, matchVersion } = verdict;
  const whose =
    names === 'upstream_source' ? ' It speaks of the distribution that this one is rebuilt from.' : '';
  if (fix.kind === 'unfixed') {
    const word = fix.detail === '' ? '' : ` (${fix.detail})`;
    if (hasFix(key, fix))
      return `${matchName} ${matchVersion} has the fix that ${externalId} calls${word || ' pending'}.`;
    const named = names === undefined ? matchName : `${sourceName}, which ${matchName} is built from,`;
    return `${externalId} names ${named} without a fixed version: ${fix.reason.replaceAll('_', ' ')}${word}.${whose}`;
  }
  const order = compareKeys(key, fix.key);
  const relation = order < 0 ? 'is lower than' : order === 0 ? 'is' : 'is higher than';
  const service = fix.service === null ? '' : `, which ${fix.service} ships`;
  return `${matchName} ${matchVersion} ${relation} the fixed version ${fix.version} of ${externalId}${service} (compared as ${scheme ?? 'its release'} does).${whose}`;
}
