import {
  type AppliedWaiver,
  type EvidenceNote,
  type Finding,
  type FindingAdvisory,
  isOpenToOtherBuilds,
  nameSome,
} from '@plimsoll/advisories';
import type {
  AdvisoryDetails,
  AssessmentStore,
  CveFacts,
  FindingOrigin,
  HostToAssess,
  InstalledVersion,
  SideStatements,
} from '@plimsoll/db';
import {
  type AdvisoryKey,
  compareText,
  groupBy,
  type PackageVersionId,
  type Statement,
} from '@plimsoll/model';
import type { ApiStores } from '../../stores.ts';

/** The context for showing a finding. */
export interface FindingBackground {
  readonly host: HostToAssess;
  readonly details: ReadonlyMap<AdvisoryKey, AdvisoryDetails>;
  readonly errata: ErrataIndex;
  readonly times: FindingTimes;
  readonly cveFacts: ReadonlyMap<string, CveFacts>;
  readonly passedOver: PassedOver;
}

/** Loads the context for showing some findings of a host. */
export async function loadBackground(
  findings: readonly Finding[],
  host: HostToAssess,
  { assessments }: Pick<ApiStores, 'assessments'>,
): Promise<FindingBackground> {
  const statements = findings.flatMap(({ advisories }) => advisories.map(({ statement }) => statement));
  const cves = statements.flatMap((statement) => statement.cves);
  const keys = new Set(statements.map(({ advisory }) => advisory));
  const judged = judgedVersions(findings, host);
  const names = new Set([
    ...findings.map(({ evidence }) => evidence.matchName),
    ...[...judged.values()].map(({ sourceName }) => sourceName),
  ]);
  const [details, side, times, cveFacts] = await Promise.all([
    assessments.describe(host, [...keys]),
    assessments.sideStatements(host, [...names]),
    loadFindingTimes(findings, host, assessments),
    assessments.cveFacts(host, cves),
  ]);
  return {
    host,
    details,
    errata: errataIn(side),
    times,
    cveFacts,
    passedOver: findPassedOver(host, judged, side),
  };
}

/** The errata of packages by the CVEs of their findings. */
interface ErrataIndex {
  /** Ids of the errata of a package that name any of the CVEs, sorted. */
  idsOf(name: string, cves: readonly string[]): readonly string[];
}

function errataIn(side: SideStatements): ErrataIndex {
  return {
    idsOf(name, cves) {
      const [cve] = cves;
      // Most advisories are about one CVE.
      if (cves.length === 1 && cve !== undefined) return side.errataOf(name, cve);
      return [...new Set(cves.flatMap((each) => side.errataOf(name, each)))].sort();
    },
  };
}

/** When each finding's advisories were first seen on their host. */
interface FindingTimes {
  /** For an advisory of one of the given findings. */
  of(advisory: FindingAdvisory): Date;
  /**
   * For a finding: the earliest time of its visible advisories, or of all if none is visible, whether listed or not.
   */
  ofFinding(finding: Finding): Date;
}

/** Loads the times of some findings of a host. */
async function loadFindingTimes(
  findings: readonly Finding[],
  host: HostToAssess,
  assessments: AssessmentStore,
): Promise<FindingTimes> {
  const pairs = findings.flatMap((finding) => finding.advisories.map((advisory) => ({ finding, advisory })));
  const dates = await assessments.firstSeen(
    host,
    pairs.map(({ finding, advisory }) => originOf(finding, advisory, host)),
  );
  const byAdvisory = new Map(pairs.map(({ advisory }, index) => [advisory, dates[index]]));
  const of = (advisory: FindingAdvisory) => byAdvisory.get(advisory) ?? host.firstSnapshotAt;
  return {
    of,
    ofFinding({ advisories }) {
      const visible = advisories.filter(({ statement }) => statement.severity !== 'none');
      const times = (visible.length > 0 ? visible : advisories).map((advisory) => of(advisory).getTime());
      return new Date(Math.min(...times));
    },
  };
}

/** A finding's advisory as the history of its host is asked about it. */
export function originOf(
  finding: Finding,
  { statement }: FindingAdvisory,
  host: HostToAssess,
): FindingOrigin {
  return {
    name: finding.name,
    architecture: finding.architecture,
    versionId: judgedVersion(finding, host),
    advisory: statement.advisory,
    // The assessed statements are the loaded ones.
    statedAt: (statement as Statement).firstSeenAt,
  };
}

/** The version that the advisories are about: for a kernel the running version, even if another is installed. */
export function judgedVersion(finding: Finding, { runningKernel }: HostToAssess): PackageVersionId {
  return judgedId(finding, runningKernel?.version.id ?? null);
}

/** The same of a host of which only the version of the kernel that runs is known; null: it is not. */
export function judgedId(
  { packageId, evidence }: Finding,
  runningKernel: PackageVersionId | null,
): PackageVersionId {
  const isOther = evidence.notes.some(
    ({ code }) => code === 'running_kernel_replaced' || code === 'running_kernel_removed',
  );
  return isOther && runningKernel !== null ? runningKernel : packageId;
}

/** What was skipped while findings were made. */
interface PassedOver {
  /** For one of the given findings. */
  of(finding: Finding): readonly EvidenceNote[];
}

/** The version that each finding is about, if the host has it. */
function judgedVersions(
  findings: readonly Finding[],
  host: HostToAssess,
): ReadonlyMap<Finding, InstalledVersion['version']> {
  const all = [...host.packages, ...(host.runningKernel === null ? [] : [host.runningKernel])];
  const byId = new Map(all.map(({ version }) => [version.id, version]));
  return new Map(
    findings.flatMap((finding) => {
      const version = byId.get(judgedVersion(finding, host));
      return version === undefined ? [] : [[finding, version] as const];
    }),
  );
}

/**
 * Finds what was skipped for the findings about some versions: statements about other builds of the package that would
 * apply to those builds, and installed packages of the same source that are not from the distribution.
 */
function findPassedOver(
  host: HostToAssess,
  judged: ReadonlyMap<Finding, InstalledVersion['version']>,
  side: SideStatements,
): PassedOver {
  const foreign = foreignBySource(host.packages);
  return {
    of(finding) {
      const version = judged.get(finding);
      if (version === undefined) return [];
      const others = otherBuilds(version, side);
      const strangers = foreign.get(version.sourceName) ?? [];
      return [
        ...(others.length === 0
          ? []
          : [{ code: 'other_build_passed_over' as const, detail: nameSome(others) }]),
        ...(strangers.length === 0
          ? []
          : [{ code: 'foreign_package_passed_over' as const, detail: nameSome(strangers) }]),
      ];
    },
  };
}

function otherBuilds(version: InstalledVersion['version'], side: SideStatements): readonly string[] {
  const { matchName, sourceName } = version;
  if (matchName === null) return [];
  const statements = [
    ...side.ofBuilds(matchName).filter(({ names }) => names === undefined),
    ...(sourceName === '' ? [] : side.ofBuilds(sourceName).filter(({ names }) => names !== undefined)),
  ];
  const texts = statements
    .filter((statement) => isOpenToOtherBuilds(version, statement))
    .sort((a, b) => compareText(a.externalId, b.externalId) || a.statementId - b.statementId)
    .map(({ externalId, builds }) => {
      const parts = [
        ...builds.architectures,
        ...(builds.module === null ? [] : [builds.module === '' ? 'no module' : `module ${builds.module}`]),
        ...(builds.line === null ? [] : [`line ${builds.line}`]),
      ];
      return `${externalId} (${parts.join(', ')})`;
    });
  return [...new Set(texts)];
}

/** Installed packages that are not from the distribution, as text, by source. */
function foreignBySource(packages: readonly InstalledVersion[]): ReadonlyMap<string, readonly string[]> {
  const found = packages.flatMap(({ version: { name, version, sourceName, verdict } }) =>
    verdict.kind === 'unknown'
      ? [{ sourceName, text: `${name} ${version} (${verdict.reason.replaceAll('_', ' ')})` }]
      : [],
  );
  const groups = [...groupBy(found, ({ sourceName }) => sourceName)];
  return new Map(groups.map(([source, some]) => [source, some.map(({ text }) => text)]));
}

/** The waiver of a finding, an advisory or a package as answered; nothing without one. */
export function waiverField(waiver: AppliedWaiver | null) {
  if (waiver === null) return {};
  const { id, kind, createdBy, expiresAt } = waiver;
  return { waiver: { id, kind, created_by: createdBy, expires_at: expiresAt.toISOString() } };
}
