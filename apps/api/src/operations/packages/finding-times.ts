import type { Finding, FindingAdvisory } from '@plimsoll/advisories';
import type { AssessmentStore, FindingOrigin, HostToAssess } from '@plimsoll/db';
import type { PackageVersionId, Statement } from '@plimsoll/model';

/** When each finding's advisories were first seen on their host. */
export interface FindingTimes {
  /** For an advisory of one of the given findings. */
  of(advisory: FindingAdvisory): Date;
  /**
   * For a finding: the earliest time of its visible advisories, or of all if none is visible, whether listed or not.
   */
  ofFinding(finding: Finding): Date;
}

/** Loads the times of some findings of a host. */
export async function loadFindingTimes(
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

function originOf(finding: Finding, { statement }: FindingAdvisory, host: HostToAssess): FindingOrigin {
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
export function judgedVersion(
  { packageId, evidence }: Finding,
  { runningKernel }: HostToAssess,
): PackageVersionId {
  const isOther = evidence.notes.some(
    ({ code }) => code === 'running_kernel_replaced' || code === 'running_kernel_removed',
  );
  return isOther && runningKernel !== null ? runningKernel.version.id : packageId;
}
