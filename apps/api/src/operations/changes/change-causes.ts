import type { Exposure, HostHistory, HostToAssess, InstalledVersion } from '@plimsoll/db';
import { exposureAt, isSameBuild } from '@plimsoll/db';
import type { ChangeCause, HostChangeCause } from '@plimsoll/model';
import type { CauseOf, DifferingFinding, OpenFinding, Side } from './changed-findings.ts';

/** Findings that are open on one side only, and why. */
export interface CausedFindings {
  readonly findings: readonly DifferingFinding[];
  readonly causeOf: CauseOf;
}

/**
 * Why findings that are open on one side are not on the other. The exposure that a finding belongs to says it: its end,
 * if the other side is later, otherwise its start. So of a change on the host and one of the advisory, the one that
 * ended the exposure first counts, or the one that began it last. If the other side does not say which kernel runs,
 * findings of kernels are left out that nothing began or ended between the two times.
 */
export async function loadCauses(
  history: HostHistory,
  open: readonly DifferingFinding[],
  side: Side,
  other: Side,
): Promise<CausedFindings> {
  const exposures = await history.exposures(
    side.host,
    open.map(({ origin }) => origin),
  );
  const [from, to] = [timeOf(side.host), timeOf(other.host)];
  const kernels = new Set(
    versionsOf(side.host).flatMap((version) => (isOfKernel(version) ? [version.id] : [])),
  );
  const isUnstated = other.assessment.bootedKernel === 'not_stated';
  const causes = new Map(
    open.flatMap((one, index) => {
      const found = exposureAt(exposures[index] ?? [], from);
      const cause: HostChangeCause | null = one.waivedOnOther ? 'waived' : causeBetween(found, from, to);
      if (cause === null && isUnstated && kernels.has(one.versionId)) return [];
      return [[one, cause ?? causeBySides(one, side, other)] as const];
    }),
  );
  return {
    findings: [...causes.keys()],
    causeOf: (one) => causes.get(one) ?? causeBySides(one, side, other),
  };
}

/** The time of a side, in milliseconds; infinite: now. */
function timeOf({ moment: { at } }: HostToAssess): number {
  return at === null ? Number.POSITIVE_INFINITY : at.getTime();
}

/** Null if the exposure has no end between the two times. */
function causeBetween(exposure: Exposure | undefined, openAt: number, otherAt: number): ChangeCause | null {
  if (exposure === undefined) return null;
  const { from, fromCause, until, untilCause } = exposure;
  if (otherAt < openAt) return from.getTime() > otherAt ? fromCause : null;
  return until !== null && until.getTime() <= otherAt ? untilCause : null;
}

/**
 * The cause without an exposure that ends: another name of the running kernel, another severity of the advisory, a
 * snapshot that the history lacks because a newer one overtook it, or the same build with another verdict.
 */
function causeBySides({ versionId }: OpenFinding, { host }: Side, other: Side): ChangeCause {
  const { assessment } = other;
  const isJudged = assessment.judged.has(versionId) || assessment.judgedKernel === versionId;
  if (isJudged) return 'advisory_changed';
  const found = versionsOf(host).find(({ id }) => id === versionId);
  if (isOfKernel(found))
    return isSameBuild(other.host.runningKernel?.version, found) ? 'rules_changed' : 'kernel_booted';
  return versionsOf(other.host).some((version) => isSameBuild(version, found))
    ? 'rules_changed'
    : 'package_changed';
}

function isOfKernel(version: InstalledVersion['version'] | undefined): boolean {
  return version !== undefined && version.verdict.kind !== 'excluded' && version.verdict.kernel !== null;
}

function versionsOf({ packages, runningKernel }: HostToAssess): readonly InstalledVersion['version'][] {
  return (runningKernel === null ? packages : [...packages, runningKernel]).map(({ version }) => version);
}
