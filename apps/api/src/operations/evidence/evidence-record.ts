import type { EvidencePeriod, HostEvidence, JudgedExposure, ListedOverview } from '@plimsoll/db';
import { isPatched } from '@plimsoll/db';
import {
  type DueVerdict,
  dueVerdicts,
  type ExposureCause,
  type Severity,
  type UndatedReason,
} from '@plimsoll/model';
import { type EvidencePosture, isZeroKnown } from './evidence-posture.ts';

/**
 * Exposures of a host in the period; an exposure is a package and an advisory. Null: none was found, which is not known to
 * mean that there were none.
 */
export interface ExposureTotals {
  readonly open_at_start: number | null;
  readonly opened_in_period: number | null;
  /** By a change on the host. */
  readonly closed_in_period: number | null;
  /** By a change of what is known. */
  readonly ended_otherwise: number | null;
  readonly open_at_end: number | null;
  /** By verdict; null: no policy of due dates is set. */
  readonly due: Readonly<Record<string, number | null>> | null;
}

/** A host in a pack. */
export interface EvidenceHost {
  readonly host_id: string;
  readonly display_name: string;
  readonly hostname: string;
  readonly os_name: string;
  readonly os_version: string;
  readonly architecture: string;
  readonly tags: readonly string[];
  readonly exposure: string;
  readonly created_at: string;
  readonly retired_at: string | null;
  readonly first_snapshot_at: string | null;
  /** Until now. */
  readonly last_confirmed_at: string | null;
  /** Whether what it had at the end was neither received nor confirmed since the start; not for hosts added later. */
  readonly silent: boolean;
  readonly start: EvidencePosture;
  readonly end: EvidencePosture;
  readonly findings: ExposureTotals;
}

/** A finding in a pack: a package of a host that an advisory affected for a time. */
export interface EvidenceFinding {
  readonly host_id: string;
  readonly host: string;
  readonly package: string;
  readonly advisory_id: string;
  readonly cves: readonly string[];
  readonly severity: Severity;
  readonly known_exploited: boolean | null;
  readonly fixed_version: string | null;
  readonly from: string;
  readonly from_cause: ExposureCause;
  /** Null: open at the end of the period. */
  readonly until: string | null;
  readonly until_cause: ExposureCause | null;
  readonly published_at: string | null;
  readonly known_at: string;
  readonly offered_at: string | null;
  readonly installed_at: string | null;
  readonly running_at: string | null;
  readonly due_at: string | null;
  /** Why there is no due date. */
  readonly undated: UndatedReason | null;
  readonly due_assumptions: readonly string[];
  readonly due_verdict: DueVerdict | null;
  readonly waiver_id: string | null;
}

/** The columns of findings.csv. */
export const findingColumns = [
  'host_id',
  'host',
  'package',
  'advisory_id',
  'cves',
  'severity',
  'known_exploited',
  'fixed_version',
  'from',
  'from_cause',
  'until',
  'until_cause',
  'published_at',
  'known_at',
  'offered_at',
  'installed_at',
  'running_at',
  'due_at',
  'undated',
  'due_assumptions',
  'due_verdict',
  'waiver_id',
] as const satisfies readonly (keyof EvidenceFinding)[];

/**
 * A finding as of the end of the period: what happened later is left out.
 * @param of isKevKnown: whether CISA's catalog was ever synced; without it, that a CVE is not listed is not known
 */
export function evidenceFinding(
  one: JudgedExposure,
  host: ListedOverview,
  { to, isKevKnown }: Pick<EvidencePeriod, 'to'> & { readonly isKevKnown: boolean },
): EvidenceFinding {
  const time = (at: Date | null) => (at === null || at > to ? null : at.toISOString());
  const until = time(one.until);
  const due = one.due?.at ?? null;
  return {
    host_id: host.id,
    host: host.displayName,
    package: one.packageName,
    advisory_id: one.advisoryId,
    cves: one.cves,
    severity: one.severity,
    known_exploited: one.knownExploited === false && !isKevKnown ? null : one.knownExploited,
    fixed_version: one.fixedVersion,
    from: one.from.toISOString(),
    from_cause: one.fromCause,
    until,
    until_cause: until === null ? null : one.untilCause,
    published_at: one.publishedAt?.toISOString() ?? null,
    known_at: one.knownAt.toISOString(),
    offered_at: time(one.offeredAt),
    installed_at: time(one.installedAt),
    running_at: time(one.runningAt),
    due_at: due === null ? null : new Date(due).toISOString(),
    undated: one.due?.undated ?? null,
    due_assumptions: one.due?.assumptions ?? [],
    due_verdict: one.verdict,
    waiver_id: one.waivedBy,
  };
}

/** A host with its numbers. @param of hasPolicy: whether a policy of due dates is set */
export function evidenceHost(
  host: ListedOverview,
  evidence: HostEvidence,
  postures: { readonly start: EvidencePosture; readonly end: EvidencePosture },
  of: {
    readonly period: EvidencePeriod;
    readonly hasPolicy: boolean;
  },
): EvidenceHost {
  const { period } = of;
  const times = {
    created_at: host.createdAt.toISOString(),
    retired_at: host.retiredAt?.toISOString() ?? null,
    first_snapshot_at: evidence.firstSnapshotAt?.toISOString() ?? null,
    last_confirmed_at: evidence.confirmedAt?.toISOString() ?? null,
  };
  return {
    host_id: host.id,
    display_name: host.displayName,
    hostname: host.hostname,
    os_name: host.osName,
    os_version: host.osVersion,
    architecture: host.architecture,
    tags: host.tags,
    exposure: host.exposure,
    ...times,
    silent: evidence.isSilent && !isAddedAfter(times, period),
    ...postures,
    findings: totalsOf(evidence.exposures, {
      ...of,
      isStartKnown: isZeroKnown(postures.start),
      // What a silent host had in the period is not known, either; nor that of one added later.
      isEndKnown: isZeroKnown(postures.end) && !evidence.isSilent,
    }),
  };
}

/** Whether a host was added after the period: it neither existed nor had reported by its end. */
export function isAddedAfter(
  { created_at, first_snapshot_at }: Pick<EvidenceHost, 'created_at' | 'first_snapshot_at'>,
  { to }: Pick<EvidencePeriod, 'to'>,
): boolean {
  return [created_at, first_snapshot_at].every((at) => at === null || Date.parse(at) > to.getTime());
}

interface WhatIsKnown {
  readonly period: EvidencePeriod;
  readonly hasPolicy: boolean;
  /** Whether zero at the start, and in the period and at its end, is known to be none. */
  readonly isStartKnown: boolean;
  readonly isEndKnown: boolean;
}

function totalsOf(exposures: readonly JudgedExposure[], of: WhatIsKnown): ExposureTotals {
  const { from, to } = of.period;
  const ended = exposures.filter(({ until }) => until !== null && until <= to);
  const known = (some: readonly unknown[], isZeroKnown: boolean) =>
    some.length === 0 && !isZeroKnown ? null : some.length;
  // If something was found, it is known that none of it was closed, but not that nothing else was open.
  const isAnyKnown = of.isEndKnown || exposures.length > 0;
  const ofVerdict = (verdict: DueVerdict) =>
    known(
      exposures.filter((one) => one.verdict === verdict),
      verdict === 'missed' || verdict === 'not_yet_due' ? of.isEndKnown : isAnyKnown,
    );
  return {
    open_at_start: known(
      exposures.filter((one) => one.from < from),
      of.isStartKnown,
    ),
    opened_in_period: known(
      exposures.filter((one) => one.from >= from),
      of.isEndKnown,
    ),
    closed_in_period: known(
      ended.filter((one) => isPatched(one.untilCause)),
      isAnyKnown,
    ),
    ended_otherwise: known(
      ended.filter((one) => !isPatched(one.untilCause)),
      isAnyKnown,
    ),
    open_at_end: known(
      exposures.filter(({ until }) => until === null || until > to),
      of.isEndKnown,
    ),
    due: of.hasPolicy
      ? Object.fromEntries(dueVerdicts.map((verdict) => [verdict, ofVerdict(verdict)]))
      : null,
  };
}
