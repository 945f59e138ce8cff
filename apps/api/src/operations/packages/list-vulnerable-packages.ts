import {
  type Deadline,
  evidenceCodes,
  type Finding,
  type FindingAdvisory,
  selectFindings,
} from '@plimsoll/advisories';
import type { Due, VulnerablePackage } from '@plimsoll/contract';
import { assessStoredCompanions, type CveFacts, type Known } from '@plimsoll/db';
import { inBatches } from '../../http/exchange.ts';
import { validationFailed } from '../../http/request-fields.ts';
import { assessmentAt, findHost, gapsHeader, headerOf, loadAssessment } from '../hosts/find-host.ts';
import type { ReadHandler } from '../read-operation.ts';
import { type FindingBackground, loadBackground, waiverField } from './finding-background.ts';
import { workaroundAnswer } from './workaround-answer.ts';

/** GET /hosts/{id}/packages/vulnerable */
export const listVulnerablePackages: ReadHandler<'listVulnerablePackages'> = async (
  { params, query, caller },
  { stores, clock },
) => {
  checkMoment(query, clock());
  const overview = await findHost(stores.hosts, caller.scope, params.id);
  const { at, known = 'then' } = query;
  const past = at === undefined ? null : await assessmentAt(stores.history, overview, { at, known });
  const headers =
    past === null ? gapsHeader(overview) : { ...headerOf(past.gaps), 'Plimsoll-Resolution': past.resolution };
  const assessed = past ?? (await loadAssessment(stores.assessments, params.id));
  if (assessed === null) return { kind: 'json', status: 200, headers, body: [] };
  const { host, assessment } = assessed;
  const includeUnfixed = query.include_unfixed ?? false;
  const companions =
    query.include_companions === true
      ? assessStoredCompanions(host, await stores.assessments.companions(host))
      : [];
  const selection = {
    includeUnfixed,
    includeHidden: query.include_hidden ?? false,
    includeWaived: query.include_waived ?? false,
  };
  const findings = [assessment.findings, companions]
    .flatMap((list) => selectFindings(list, selection))
    .filter(({ severity }) => query.severity === undefined || severity === query.severity);
  const background = await loadBackground(findings, host, stores);
  return {
    kind: 'rows',
    status: 200,
    headers,
    rows: inBatches(findings, (finding) =>
      vulnerableAnswer(finding, shownOf(finding, includeUnfixed), background),
    ),
  };
};

function checkMoment(
  { at, known }: { readonly at?: Date | undefined; readonly known?: Known | undefined },
  now: Date,
) {
  if (at === undefined && known !== undefined) {
    throw validationFailed([{ pointer: '/known', detail: 'needs a time, "at"' }]);
  }
  if (at !== undefined && at > now) {
    throw validationFailed([{ pointer: '/at', detail: 'must not be in the future' }]);
  }
}

function shownOf({ advisories, fixed }: Finding, includeUnfixed: boolean): readonly FindingAdvisory[] {
  // A waived finding without a fix is listed all the same.
  return advisories.filter(({ statement }) => includeUnfixed || !fixed || statement.fix.kind === 'fixed');
}

/** A finding with the advisories to show; the other fields do not depend on these. */
function vulnerableAnswer(
  finding: Finding,
  shown: readonly FindingAdvisory[],
  background: FindingBackground,
): VulnerablePackage {
  const { matchName } = finding.evidence;
  return {
    name: finding.name,
    architecture: finding.architecture,
    installed_version: finding.installedVersion,
    source_name: finding.sourceName,
    source_version: finding.sourceVersion,
    severity: finding.severity,
    fixed_version: finding.fixedVersion,
    fix_state: finding.fixState,
    candidate_version: finding.candidateVersion,
    known_exploited: finding.knownExploited,
    epss: highestEpss(finding, background.cveFacts),
    first_seen_at: background.times.ofFinding(finding).toISOString(),
    due_at: finding.dueAt === null ? null : new Date(finding.dueAt).toISOString(),
    ...(finding.evidence.notes.some(({ code }) => code === 'moves_with_kernel') && {
      moves_with_kernel: true,
    }),
    ...waiverField(finding.waiver),
    advisories: shown.map((advisory) => advisoryAnswer(advisory, matchName, background)),
    evidence: evidenceAnswer(finding, background),
  };
}

/**
 * The highest EPSS score of the visible advisories, or of all if none is visible, whether listed or not; null if EPSS
 * scores no CVE of them.
 */
function highestEpss({ advisories }: Finding, cveFacts: ReadonlyMap<string, CveFacts>): number | null {
  const visible = advisories.filter(({ statement }) => statement.severity !== 'none');
  const cves = (visible.length > 0 ? visible : advisories).flatMap(({ statement }) => statement.cves);
  const known = cves.flatMap((cve) => cveFacts.get(cve)?.epss ?? []);
  return known.reduce<number | null>((highest, epss) => Math.max(highest ?? 0, epss), null);
}

type OpenAdvisory = VulnerablePackage['advisories'][number];

function advisoryAnswer(
  advisory: FindingAdvisory,
  matchName: string,
  { details, errata, times, cveFacts }: FindingBackground,
): OpenAdvisory {
  const { statement, fixState } = advisory;
  const known = details.get(statement.advisory);
  // A score belongs to one vulnerability; an erratum with several has none.
  const isOfOne = statement.cves.length === 1;
  const cvss = isOfOne ? (known?.cvss ?? null) : null;
  const workarounds = (known?.workarounds ?? []).filter(
    ({ packages }) => packages.length === 0 || packages.includes(matchName),
  );
  return {
    id: statement.externalId,
    aliases: aliasesOf(statement.externalId, known?.aliases ?? [], errata.idsOf(matchName, statement.cves)),
    title: known?.title ?? '',
    severity: statement.severity,
    severity_source: statement.severitySource,
    url: known?.url ?? '',
    published_at: known?.publishedAt?.toISOString() ?? null,
    fixed_version: statement.fix.kind === 'fixed' ? statement.fix.version : null,
    fix_state: fixState,
    first_seen_at: times.of(advisory).toISOString(),
    due: advisory.due === null ? null : dueAnswer(advisory.due),
    ...waiverField(advisory.waiver),
    cves: statement.cves.map((id) => ({
      id,
      cvss: cvss?.score ?? null,
      cvss_vector: cvss?.vector ?? null,
      epss: cveFacts.get(id)?.epss ?? null,
      known_exploited: cveFacts.get(id)?.exploitedSince != null,
    })),
    ...(workarounds.length > 0 && {
      workarounds: workarounds.map((one) => workaroundAnswer(one, known?.url ?? '')),
    }),
  };
}

/** The aliases of an advisory, with the errata that name its CVEs; sorted. */
function aliasesOf(id: string, aliases: readonly string[], errata: readonly string[]): string[] {
  const others = errata.filter((erratum) => erratum !== id);
  return others.length === 0 ? [...aliases] : [...new Set([...aliases, ...others])].sort();
}

function dueAnswer({
  at,
  undated,
  rule,
  days,
  clock,
  startedAt,
  forensics,
  cve,
  assumptions,
}: Deadline): Due {
  return {
    at: at === null ? null : new Date(at).toISOString(),
    undated,
    rule: rule === null ? null : rule + 1,
    days,
    clock,
    started_at: startedAt === null ? null : new Date(startedAt).toISOString(),
    forensics,
    cve,
    assumptions: [...assumptions],
  };
}

function evidenceAnswer(
  finding: Finding,
  { host: { feed }, errata, passedOver }: FindingBackground,
): VulnerablePackage['evidence'] {
  const { evidence, advisories, fixedVersion } = finding;
  const listed = new Set(advisories.map(({ statement }) => statement.externalId));
  const cves = advisories.flatMap(({ statement }) => statement.cves);
  const folded = errata.idsOf(evidence.matchName, cves).filter((id) => !listed.has(id));
  const notes = [
    ...evidence.notes,
    ...(folded.length === 0 ? [] : [{ code: 'erratum_folded' as const, detail: folded.join(', ') }]),
    ...passedOver.of(finding),
  ];
  return {
    release: evidence.release,
    feed: feed?.id ?? null,
    feed_updated_at: feed?.updatedAt?.toISOString() ?? null,
    comparator: evidence.comparator,
    match_name: evidence.matchName,
    compared_version: evidence.comparedVersion,
    fixed_version: fixedVersion,
    notes: notes
      .sort((a, b) => evidenceCodes.indexOf(a.code) - evidenceCodes.indexOf(b.code))
      .map(({ code, detail }) => ({ code, detail })),
  };
}
