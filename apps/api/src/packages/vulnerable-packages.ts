import { evidenceCodes, type Finding, type FindingAdvisory, selectFindings } from '@plimsoll/advisories';
import type { Operations, VulnerablePackage } from '@plimsoll/contract';
import type {
  AdvisoryDetails,
  AssessmentStore,
  ErratumOf,
  FindingOrigin,
  HostToAssess,
  Statement,
} from '@plimsoll/db';
import type { AdvisoryKey } from '@plimsoll/model';
import { findHost } from '../hosts/find-host.ts';
import type { Handler } from '../http/operation-request.ts';
import { loadAssessment } from './load-assessment.ts';

/** GET /hosts/{id}/packages/vulnerable */
export const listVulnerablePackages: Handler<Operations['listVulnerablePackages']> = async (
  { params, query },
  { stores },
) => {
  await findHost(stores.hosts, params.id);
  const assessed = await loadAssessment(stores.assessments, params.id);
  if (assessed === null) return { kind: 'json', status: 200, body: [] };
  const includeUnfixed = query.include_unfixed ?? false;
  const includeHidden = query.include_hidden ?? false;
  const findings = selectFindings(assessed.assessment.findings, { includeUnfixed, includeHidden })
    .filter(({ severity }) => query.severity === undefined || severity === query.severity)
    .map((finding) => (includeUnfixed ? finding : withoutUnfixed(finding)));
  return {
    kind: 'json',
    status: 200,
    body: await describeFindings(findings, assessed.host, stores.assessments),
  };
};

function withoutUnfixed(finding: Finding): Finding {
  return {
    ...finding,
    advisories: finding.advisories.filter(({ statement }) => statement.fix.kind === 'fixed'),
  };
}

async function describeFindings(
  findings: readonly Finding[],
  host: HostToAssess,
  assessments: AssessmentStore,
): Promise<VulnerablePackage[]> {
  const keys = findings.flatMap(({ advisories }) => advisories.map(({ statement }) => statement.advisory));
  const names = findings.map(({ evidence }) => evidence.matchName);
  const [details, errata, firstSeen] = await Promise.all([
    assessments.describe([...new Set(keys)]),
    assessments.errataOf(host.release, [...new Set(names)]),
    loadFirstSeen(findings, host, assessments),
  ]);
  return findings.map((finding) => {
    const seen = (advisory: FindingAdvisory) => firstSeen.get(advisory) ?? host.firstSnapshotAt;
    const ofPackage = errata.filter(({ name }) => name === finding.evidence.matchName);
    return vulnerableAnswer(finding, { host, details, errata: ofPackage, seen });
  });
}

/** When each advisory of each finding was first seen on the host. */
async function loadFirstSeen(
  findings: readonly Finding[],
  host: HostToAssess,
  assessments: AssessmentStore,
): Promise<ReadonlyMap<FindingAdvisory, Date>> {
  const pairs = findings.flatMap((finding) => finding.advisories.map((advisory) => ({ finding, advisory })));
  const dates = await assessments.firstSeen(
    host,
    pairs.map(
      ({ finding, advisory }): FindingOrigin => ({
        name: finding.name,
        architecture: finding.architecture,
        versionId: judgedVersion(finding, host),
        advisory: advisory.statement.advisory,
        // The statements assessed are the ones loaded.
        statedAt: (advisory.statement as Statement).firstSeenAt,
      }),
    ),
  );
  return new Map(pairs.map(({ advisory }, index) => [advisory, dates[index] ?? host.firstSnapshotAt]));
}

/** The version whose advisories these are: of the kernel the one that runs, even where another is installed. */
function judgedVersion({ packageId, evidence }: Finding, { runningKernel }: HostToAssess) {
  const isOther = evidence.notes.some(
    ({ code }) => code === 'running_kernel_replaced' || code === 'running_kernel_removed',
  );
  return isOther && runningKernel !== null ? runningKernel.version.id : packageId;
}

interface Background {
  readonly host: HostToAssess;
  readonly details: ReadonlyMap<AdvisoryKey, AdvisoryDetails>;
  /** Of the package. */
  readonly errata: readonly ErratumOf[];
  readonly seen: (advisory: FindingAdvisory) => Date;
}

function vulnerableAnswer(finding: Finding, background: Background): VulnerablePackage {
  const times = finding.advisories.map((advisory) => background.seen(advisory).getTime());
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
    epss: null,
    first_seen_at: new Date(Math.min(...times)).toISOString(),
    advisories: finding.advisories.map((advisory) => advisoryAnswer(advisory, background)),
    evidence: evidenceAnswer(finding, background),
  };
}

type OpenAdvisory = VulnerablePackage['advisories'][number];

function advisoryAnswer(advisory: FindingAdvisory, background: Background): OpenAdvisory {
  const { statement, fixState } = advisory;
  const details = background.details.get(statement.advisory);
  const errata = erratumIds(background.errata, statement.cves).filter((id) => id !== statement.externalId);
  const aliases = new Set([...(details?.aliases ?? []), ...errata]);
  // A score stands for one vulnerability; of an erratum with several it is nobody's.
  const cvss = statement.cves.length === 1 ? (details?.cvss ?? null) : null;
  return {
    id: statement.externalId,
    aliases: [...aliases].sort(),
    title: details?.title ?? '',
    severity: statement.severity,
    url: details?.url ?? '',
    published_at: details?.publishedAt?.toISOString() ?? null,
    fixed_version: statement.fix.kind === 'fixed' ? statement.fix.version : null,
    fix_state: fixState,
    first_seen_at: background.seen(advisory).toISOString(),
    cves: statement.cves.map((id) => ({
      id,
      cvss: cvss?.score ?? null,
      cvss_vector: cvss?.vector ?? null,
      epss: null,
      known_exploited: statement.cves.length === 1 && statement.knownExploited,
    })),
  };
}

function evidenceAnswer(finding: Finding, { host, errata }: Background): VulnerablePackage['evidence'] {
  const { evidence, advisories } = finding;
  const cves = advisories.flatMap(({ statement }) => statement.cves);
  const listed = new Set(advisories.map(({ statement }) => statement.externalId));
  const folded = erratumIds(errata, cves).filter((id) => !listed.has(id));
  const notes = [
    ...evidence.notes,
    ...(folded.length === 0 ? [] : [{ code: 'erratum_folded' as const, detail: folded.join(', ') }]),
  ];
  return {
    release: evidence.release,
    feed: host.feed?.id ?? null,
    feed_updated_at: host.feed?.updatedAt?.toISOString() ?? null,
    comparator: evidence.comparator,
    match_name: evidence.matchName,
    compared_version: evidence.comparedVersion,
    fixed_version: finding.fixedVersion,
    notes: notes
      .sort((a, b) => evidenceCodes.indexOf(a.code) - evidenceCodes.indexOf(b.code))
      .map(({ code, detail }) => ({ code, detail })),
  };
}

/** The errata that name any of some CVEs, sorted. */
function erratumIds(errata: readonly ErratumOf[], cves: readonly string[]): string[] {
  const named = new Set(cves);
  return errata
    .filter((erratum) => erratum.cves.some((cve) => named.has(cve)))
    .map(({ externalId }) => externalId)
    .sort();
}
