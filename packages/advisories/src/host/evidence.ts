import type { Release, SourceNaming } from '@plimsoll/model';
import { compareText } from '@plimsoll/model';
import type { VersionScheme } from '@plimsoll/versions';
import { mainLine } from '../builds.ts';
import { distributionOf } from '../registry/distributions.ts';
import type { AssessedPackage } from './host-facts.ts';
import { nameSome } from './name-some.ts';
import type { HostReading, HostRow } from './read-host.ts';
import { isLivepatched, rowSupply } from './read-host.ts';

/** The evidence of a finding: what was compared, and which decisions were made. */
export interface Evidence {
  readonly release: Release | null;
  readonly comparator: VersionScheme | null;
  /** The name to look up advisories by. */
  readonly matchName: string;
  /** The compared version, lower than every listed fixed version. */
  readonly comparedVersion: string;
  /** In the order of `evidenceNotes`. */
  readonly notes: readonly EvidenceNote[];
}

/** One decision that led to a finding. */
export interface EvidenceNote {
  readonly code: EvidenceCode;
  readonly detail: string;
}

/** All note codes, in output order. */
export const evidenceCodes = [
  'unfinished',
  'source_compared',
  'kernel_source_mapped',
  'origin_not_stated',
  'stream_from_host',
  'line_followed',
  'running_kernel_replaced',
  'running_kernel_removed',
  'running_version_not_stated',
  'moves_with_kernel',
  'livepatched',
  'kernels_not_running',
  'source_statement',
  'upstream_statement',
  'erratum_folded',
  'cves_fixed_before',
  'overridden',
  'other_build_passed_over',
  'foreign_package_passed_over',
  'candidate_source_assumed',
  'candidate_not_comparable',
] as const;

/** One of `evidenceCodes`. */
export type EvidenceCode = (typeof evidenceCodes)[number];

/** The evidence for a row's finding. `subject` is the judged package. */
export function evidenceOf(row: HostRow, subject: AssessedPackage, reading: HostReading): Evidence {
  const { release } = reading.facts;
  const verdict = subject.verdict.kind === 'comparable' ? subject.verdict : null;
  const notes = [
    ...comparisonNotes(subject),
    ...(row.isKernel ? [...kernelNotes(reading), ...livePatchNotes(subject, reading)] : []),
    ...sourceNotes(subject),
    ...foldedNotes(subject),
    ...openCveNotes(subject),
    ...overrideNotes(subject),
    ...candidateNotes(row, reading),
  ];
  return {
    release,
    comparator: release === null ? null : (distributionOf(release)?.scheme ?? null),
    matchName: verdict?.matchName ?? subject.sourceName,
    comparedVersion: verdict?.matchVersion ?? subject.sourceVersion,
    notes,
  };
}

function comparisonNotes({
  name,
  version,
  sourceName,
  verdict,
  statements,
}: AssessedPackage): EvidenceNote[] {
  if (verdict.kind !== 'comparable') return [];
  const notes: EvidenceNote[] = [];
  const built = `${name} ${version} is ${verdict.matchName} ${verdict.matchVersion}`;
  if (verdict.reached !== undefined) {
    const detail = `${version} is installed in part; ${verdict.matchVersion} is compared until ${verdict.reached} is finished`;
    return [{ code: 'unfinished', detail }];
  }
  const isItself = verdict.matchName === name && verdict.matchVersion === version;
  if (!isItself && verdict.matchName !== sourceName)
    notes.push({ code: 'kernel_source_mapped', detail: `${built}, signed as ${sourceName}` });
  else if (verdict.matchName !== name || verdict.matchVersion !== version) {
    notes.push({ code: 'source_compared', detail: built });
  }
  if (verdict.follows !== undefined && !isPlain(verdict, statements)) {
    notes.push({ code: 'line_followed', detail: `its host’s repositories follow ${verdict.follows}` });
  }
  if (!verdict.originStated) {
    notes.push({
      code: 'origin_not_stated',
      detail: 'no origin is known; matched as the distribution’s own package',
    });
  }
  if (verdict.moduleFrom !== undefined) {
    notes.push({
      code: 'stream_from_host',
      detail: `the package does not say its stream; ${verdict.module} is the one its host has enabled`,
    });
  }
  return notes;
}

/** Whether statements about the main line judge a build of the main line on a host that follows it. */
function isPlain(
  { line, follows }: { readonly line: string; readonly follows?: string },
  statements: AssessedPackage['statements'],
): boolean {
  return line === '' && follows === mainLine && statements.every(({ builds }) => builds.line === null);
}

function kernelNotes({ kernels, facts }: HostReading): EvidenceNote[] {
  const { running, installed, judged } = kernels;
  const notes: EvidenceNote[] = [];
  if (running.kind === 'replaced') {
    const detail = `${running.version} runs, ${running.image.version} is installed as ${running.image.name}`;
    notes.push({ code: 'running_kernel_replaced', detail });
  }
  if (running.kind === 'removed') {
    notes.push({
      code: 'running_kernel_removed',
      detail: `${facts.kernel.runningRelease} ${running.version} runs`,
    });
  }
  if (running.kind === 'installed' && !running.confirmed) {
    notes.push({ code: 'running_version_not_stated', detail: `taken as ${running.image.version}` });
  }
  const image = running.kind === 'installed' || running.kind === 'replaced' ? running.image : null;
  const idle = installed.filter((kernel) => kernel.summary !== null && kernel !== image);
  if (idle.length > 0) {
    // On rpm, parallel kernels share a name.
    const named = idle.map(({ name, version }) => (name === judged?.name ? `${name} ${version}` : name));
    notes.push({ code: 'kernels_not_running', detail: named.join(', ') });
  }
  return notes;
}

/** The live patches that close CVEs of livepatched statements, one note each. */
function livePatchNotes({ statements }: AssessedPackage, { livepatched }: HostReading): EvidenceNote[] {
  const byPatch = new Map<string, Set<string>>();
  for (const statement of statements) {
    if (!isLivepatched(statement, livepatched)) continue;
    for (const cve of statement.openCves ?? statement.cves) {
      const patch = livepatched.get(cve) ?? '';
      byPatch.set(patch, (byPatch.get(patch) ?? new Set()).add(cve));
    }
  }
  return [...byPatch].map(([patch, cves]) => ({
    code: 'livepatched',
    detail: `${patch}: ${nameSome([...cves].sort(compareText))}`,
  }));
}

/** Notes on statements that name the package's source; those of `upstream_source` come from another distribution. */
function sourceNotes({ name, sourceName, statements }: AssessedPackage): EvidenceNote[] {
  if (statements.every(({ names }) => names === undefined)) return [];
  const idsOf = (naming: SourceNaming) =>
    [...new Set(statements.flatMap(({ names, externalId }) => (names === naming ? [externalId] : [])))].sort(
      compareText,
    );
  const own = name === sourceName ? [] : idsOf('source');
  const upstream = idsOf('upstream_source');
  return [
    ...(own.length === 0
      ? []
      : [
          { code: 'source_statement' as const, detail: `${nameSome(own)}: said of the source ${sourceName}` },
        ]),
    ...(upstream.length === 0
      ? []
      : [
          {
            code: 'upstream_statement' as const,
            detail: `${nameSome(upstream)}: said of the source ${sourceName} by the distribution this one is rebuilt from`,
          },
        ]),
  ];
}

function foldedNotes({ folded, statements }: AssessedPackage): EvidenceNote[] {
  if (folded.length === 0) return [];
  const cves = new Set(statements.flatMap((statement) => statement.cves));
  const ids = folded
    .filter((erratum) => erratum.cves.some((cve) => cves.has(cve)))
    .map(({ externalId }) => externalId);
  return ids.length === 0 ? [] : [{ code: 'erratum_folded', detail: ids.join(', ') }];
}

function openCveNotes({ statements }: AssessedPackage): EvidenceNote[] {
  return statements.flatMap(({ externalId, cves, openCves }): EvidenceNote[] => {
    if (openCves === undefined) return [];
    const fixed = cves.filter((cve) => !openCves.includes(cve));
    const detail = `${externalId}: the package already has the fixes of ${nameSome(fixed)}; open: ${nameSome(openCves)}`;
    return [{ code: 'cves_fixed_before', detail }];
  });
}

/** Notes on statements with a corrected error of the feed that affect the package nevertheless. */
function overrideNotes({ statements }: AssessedPackage): EvidenceNote[] {
  return statements.flatMap(({ externalId, override }) =>
    override === undefined
      ? []
      : [
          {
            code: 'overridden' as const,
            detail: `${externalId}: ${override.reason} Source: ${override.source}`,
          },
        ],
  );
}

function candidateNotes(row: HostRow, reading: HostReading): EvidenceNote[] {
  return rowSupply(row, reading).offers.flatMap(({ upgrade: { upgrade, source }, key }): EvidenceNote[] => {
    const offered = `${upgrade.name} ${upgrade.candidateVersion}`;
    if (key === null) return [{ code: 'candidate_not_comparable', detail: offered }];
    if (source.kind !== 'comparable' || source.stated) return [];
    return [
      { code: 'candidate_source_assumed', detail: `${offered} taken as source ${source.matchVersion}` },
    ];
  });
}
