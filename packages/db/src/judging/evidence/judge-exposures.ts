import { type Deadline, type DueTerms, deadlineOf, dueFactsOf } from '@plimsoll/advisories';
import type { DueVerdict, StatementDates, WaiverId } from '@plimsoll/model';
import type { HostExposure } from '../exposures/host-exposures.ts';
import type { WaiverHistory } from '../exposures/waiver-history.ts';

/** An exposure with what was decided about it. */
export interface JudgedExposure extends HostExposure {
  /** Whether one of its CVEs is known to be exploited; null: its advisory is gone. */
  readonly knownExploited: boolean | null;
  /** By the policy of now; null: no policy, or not known. */
  readonly due: Deadline | null;
  /** Null: no policy of due dates is set. */
  readonly verdict: DueVerdict | null;
  /** The waiver that covers it at the end of the period, or when it ended; null: none. */
  readonly waivedBy: WaiverId | null;
}

/** What exposures of one host are judged by. */
export interface HostTermsThen {
  /** Null: no policy is set. */
  readonly due: DueTerms | null;
  /** As of HostTimes. */
  readonly firstReportAt: number;
  /** Those that apply to the host. */
  readonly waivers: WaiverHistory;
  /** The end of the period, or now if that is earlier. */
  readonly end: Date;
}

/** Judges the exposures of one host. @param datesOf the dates of a statement; null: it is gone. */
export function judgeExposures(
  exposures: readonly HostExposure[],
  { due: terms, firstReportAt, waivers, end }: HostTermsThen,
  datesOf: (statementId: number) => StatementDates | null,
): readonly JudgedExposure[] {
  return exposures.map((exposure) => {
    const until = exposure.until !== null && exposure.until <= end ? exposure.until : null;
    const statement = statementOf(exposure);
    const coverAt = (at: Date) => waivers.coverAt(exposure, at.getTime())?.id ?? null;
    const dates = datesOf(exposure.statementId);
    const facts = dates === null ? null : dueFactsOf({ ...statement, severity: exposure.severity, dates });
    const times = { installedAt: exposure.installedSince.getTime(), firstReportAt };
    const due = terms === null || facts === null ? null : deadlineOf(facts, terms, times);
    return {
      ...exposure,
      knownExploited: facts === null ? null : facts.cves.some(({ exploitedAt }) => exploitedAt !== null),
      due,
      verdict: terms === null ? null : verdictOf({ ...exposure, until }, due, end, coverAt),
      waivedBy: coverAt(until ?? end),
    };
  });
}

function verdictOf(
  { until, untilCause }: Pick<HostExposure, 'until' | 'untilCause'>,
  due: Deadline | null,
  end: Date,
  coverAt: (at: Date) => WaiverId | null,
): DueVerdict {
  if (due === null) return 'unknown';
  if (due.at === null) return 'undated';
  const at = new Date(due.at);
  if (until !== null && until <= at) return isPatched(untilCause) ? 'met' : 'ended_otherwise';
  if (at > end) return 'not_yet_due';
  return coverAt(at) === null ? 'missed' : 'waived';
}

/** Whether a change on the host ended an exposure. */
export function isPatched(cause: HostExposure['untilCause']): boolean {
  return cause === 'package_changed' || cause === 'kernel_booted';
}

function statementOf({ advisoryId, cves, fixedVersion }: HostExposure) {
  return {
    externalId: advisoryId,
    cves,
    fix: { kind: fixedVersion === null ? 'unfixed' : 'fixed' },
  } as const;
}
