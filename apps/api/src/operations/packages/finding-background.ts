import {
  type EvidenceNote,
  explainVersion,
  type Finding,
  type FindingAdvisory,
  nameSome,
} from '@plimsoll/advisories';
import type {
  AdvisoryDetails,
  AssessmentStore,
  CveFacts,
  ErratumOf,
  ExplainStore,
  FindingOrigin,
  HostToAssess,
  InstalledVersion,
  PackageCve,
} from '@plimsoll/db';
import { type AdvisoryKey, groupBy, type PackageVersionId, type Statement } from '@plimsoll/model';
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
  stores: Pick<ApiStores, 'assessments' | 'cves' | 'explanations'>,
): Promise<FindingBackground> {
  const statements = findings.flatMap(({ advisories }) => advisories.map(({ statement }) => statement));
  const { assessments, explanations } = stores;
  const cves = statements.flatMap((statement) => statement.cves);
  const keys = new Set(statements.map(({ advisory }) => advisory));
  const [details, errata, times, cveFacts, passedOver] = await Promise.all([
    assessments.describe(host, [...keys]),
    assessments.errataOf(host, pairsOf(findings)),
    loadFindingTimes(findings, host, assessments),
    stores.cves.cveFacts(cves, host.moment.knownAt),
    loadPassedOver(findings, host, explanations),
  ]);
  return { host, details, errata: indexErrata(errata), times, cveFacts, passedOver };
}

/** Each pair of a package and one of its CVEs once. */
function pairsOf(findings: readonly Finding[]): readonly PackageCve[] {
  const pairs = new Map(
    findings.flatMap(({ advisories, evidence: { matchName: name } }) =>
      advisories.flatMap(({ statement }) =>
        statement.cves.map((cve) => [`${name} ${cve}`, { name, cve }] as const),
      ),
    ),
  );
  return [...pairs.values()];
}

/** Errata, indexed by the package they ship and the CVEs they name. */
interface ErrataIndex {
  /** Ids of the errata of a package that name any of the CVEs, sorted. */
  idsOf(name: string, cves: readonly string[]): readonly string[];
}

/** Indexes errata for repeated look-ups. */
function indexErrata(errata: readonly ErratumOf[]): ErrataIndex {
  const idsOfName = new Map<string, Map<string, string[]>>();
  for (const { name, externalId, cves } of errata) {
    const ids = idsOfName.get(name) ?? new Map<string, string[]>();
    idsOfName.set(name, ids);
    for (const cve of cves) {
      const found = ids.get(cve);
      if (found === undefined) ids.set(cve, [externalId]);
      else found.push(externalId);
    }
  }
  return {
    idsOf(name, cves) {
      const ids = idsOfName.get(name);
      return ids === undefined ? [] : [...new Set(cves.flatMap((cve) => ids.get(cve) ?? []))].sort();
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

/**
 * Finds what was skipped for some findings of a host: statements about other builds of the package that would apply to
 * those builds, and installed packages of the same source that are not from the distribution.
 */
async function loadPassedOver(
  findings: readonly Finding[],
  host: HostToAssess,
  explanations: ExplainStore,
): Promise<PassedOver> {
  const all = [...host.packages, ...(host.runningKernel === null ? [] : [host.runningKernel])];
  const byId = new Map(all.map(({ version }) => [version.id, version]));
  const versions = findings.flatMap((finding) => byId.get(judgedVersion(finding, host)) ?? []);
  const narrow = await explanations.narrowStatementsOf(host, versions);
  const foreign = foreignBySource(host.packages);
  return {
    of(finding) {
      const version = byId.get(judgedVersion(finding, host));
      if (version === undefined) return [];
      const others = otherBuilds(version, narrow.get(version.id) ?? []);
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

function otherBuilds(version: InstalledVersion['version'], narrow: readonly Statement[]): readonly string[] {
  const { matchKey: key } = version;
  if (key === null || narrow.length === 0) return [];
  const texts = explainVersion(version, narrow, () => false)
    .filter(({ judgement }) => judgement === 'other_build')
    .filter(({ statement: { fix } }) => fix.kind === 'unfixed' || Buffer.compare(key, fix.key) < 0)
    .map(({ statement: { externalId, builds } }) => {
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
