import {
  assessStoredHost,
  type EvidencePeriod,
  type HostHistory,
  type HostThen,
  type ListedOverview,
  pastGaps,
} from '@plimsoll/db';
import { AppError, findingGaps, type Gap, gapsOfBits } from '@plimsoll/model';

/** A host at one end of the period, by what was known then. */
export interface EvidencePosture {
  readonly at: string;
  /** Whether its findings of that time are known at all, and if not, why. */
  readonly known: 'known' | 'no_report_yet' | 'history_deleted' | 'retired';
  readonly received_at: string | null;
  /** How exactly the time is known: `snapshot`, `day` or `month`, as in Plimsoll-Resolution. */
  readonly resolution: string | null;
  readonly release: string | null;
  readonly kernel: string | null;
  readonly packages: number | null;
  readonly feed: string | null;
  readonly feed_updated_at: string | null;
  readonly critical: number | null;
  readonly important: number | null;
  readonly moderate: number | null;
  readonly low: number | null;
  readonly unrated: number | null;
  readonly unfixed: number | null;
  readonly waived: number | null;
  readonly unknown: number | null;
  readonly needs_reboot: string | null;
  /** Whether all of its findings of that time are known; if not, there may be more than the pack has. */
  readonly findings_known: boolean;
  /** Why the numbers may be less than the truth; of a retired host as of its retirement. */
  readonly gaps: readonly Gap[];
}

/** The posture of a host at a time; at the end of a period that goes on until now, as it is now. */
export async function postureAt(
  history: HostHistory,
  host: ListedOverview,
  at: Date,
  { now }: EvidencePeriod,
): Promise<EvidencePosture> {
  if (host.retiredAt !== null && host.retiredAt <= at)
    return nothing(at, 'retired', await gapsAt(history, host, host.retiredAt));
  const isNow = at >= now;
  let then: HostThen | null;
  try {
    then = await history.find(host.id, isNow ? { kind: 'newest' } : { kind: 'at', at }, 'then');
  } catch (error) {
    if (error instanceof AppError && error.code === 'no_snapshot') return nothing(at, 'history_deleted');
    throw error;
  }
  if (then === null) return nothing(at, 'no_report_yet', ['no_report']);
  const assessment = assessStoredHost(then.host);
  const { counts } = assessment;
  const gaps = isNow ? gapsOfBits(host.gaps) : pastGaps({ ...then, at }, assessment);
  return {
    at: at.toISOString(),
    known: 'known',
    received_at: then.receivedAt.toISOString(),
    resolution: then.resolution,
    release: then.host.release,
    kernel: then.host.facts.kernel.runningRelease ?? null,
    packages: then.host.packages.length,
    feed: then.host.feed?.id ?? null,
    feed_updated_at: then.host.feed?.updatedAt?.toISOString() ?? null,
    critical: counts.critical,
    important: counts.important,
    moderate: counts.moderate,
    low: counts.low,
    unrated: counts.unrated,
    unfixed: counts.unfixed,
    waived: counts.waived,
    unknown: counts.unknown,
    needs_reboot: assessment.rebootState,
    findings_known: !hidesFindings(gaps),
    gaps: [...gaps].sort(),
  };
}

/** With one of these gaps it is not known what a host had then, or nothing that a feed could have said of it is. */
const blindingGaps: readonly Gap[] = ['no_report', 'report_outdated', 'no_feed', 'feed_never_synced'];

/** Whether no finding at that time is known to be none, apart from gaps that leave some findings out. */
export function isZeroKnown({ known, gaps }: EvidencePosture): boolean {
  return (known === 'known' || known === 'retired') && blinding(gaps).length === 0;
}

/** The gaps among some with which zero findings are not known. */
export function blinding(gaps: readonly Gap[]): readonly Gap[] {
  return gaps.filter((gap) => blindingGaps.includes(gap));
}

function hidesFindings(gaps: Iterable<Gap>): boolean {
  return [...gaps].some((gap) => findingGaps.some((each) => each === gap));
}

/** The gaps of a host as of a past time. */
async function gapsAt(history: HostHistory, { id }: ListedOverview, at: Date): Promise<readonly Gap[]> {
  let then: HostThen | null;
  try {
    then = await history.find(id, { kind: 'at', at }, 'then');
  } catch (error) {
    if (error instanceof AppError && error.code === 'no_snapshot') return ['no_report'];
    throw error;
  }
  return then === null ? ['no_report'] : [...pastGaps({ ...then, at }, assessStoredHost(then.host))].sort();
}

function nothing(
  at: Date,
  known: Exclude<EvidencePosture['known'], 'known'>,
  gaps: readonly Gap[] = [],
): EvidencePosture {
  return {
    at: at.toISOString(),
    known,
    received_at: null,
    resolution: null,
    release: null,
    kernel: null,
    packages: null,
    feed: null,
    feed_updated_at: null,
    critical: null,
    important: null,
    moderate: null,
    low: null,
    unrated: null,
    unfixed: null,
    waived: null,
    unknown: null,
    needs_reboot: null,
    findings_known: known === 'retired' && !hidesFindings(gaps),
    gaps,
  };
}
