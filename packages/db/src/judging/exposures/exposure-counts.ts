import { type MatchCause, matchCauses, type Severity } from '@plimsoll/model';

/**
 * What exposures are counted as: `open` ones and those that ended, by a change on the host (`patched`), by one of the record
 * that counts while another exposure goes on about the same CVEs (`continued`), or by another one of what is known. `waived`
 * and `restated` are time spans within exposures that are counted as well: in which they were waived; in which they were not,
 * and had a fix and have none as is known last, or the reverse.
 */
export type CountedAs = 'open' | 'patched' | 'continued' | MatchCause | 'waived' | 'restated';

/** SQL: whether a row counts exposures that ended, and not a time span within them. */
export const isEnd = `cause IN (${['patched', 'continued', ...matchCauses].map((cause) => `'${cause}'`).join(', ')})`;

/** Exposures of one host that are equal in everything that is counted. Times are in milliseconds since 1970. */
export interface CountedExposures {
  readonly severity: Severity;
  /** Whether the advisory names a version with the fix. */
  readonly hasFix: boolean;
  /** They are counted at the times after this one … */
  readonly since: number;
  /** … and until this one, which is included; infinite: they go on. */
  readonly until: number;
  /** From when on their time counts: earlier than they began if they continue exposures about the same CVEs. */
  readonly timedSince: number;
  /** Since when a fix was known for them while their time counted; null: none is. */
  readonly fixableAt: number | null;
  readonly cause: CountedAs;
  /** Their number. */
  readonly count: number;
  /** How many hours patched ones took, rounded up; null of others. */
  readonly hours: number | null;
  /** Hours between the stages of patched ones, rounded up; null: not known or not reached. */
  readonly stages: Readonly<Record<PatchStage, number | null>>;
}

/** The parts of the time that an exposure takes. */
export const patchStages = ['known', 'offered', 'installed', 'running'] as const;

/** A part of the time that an exposure takes. */
export type PatchStage = (typeof patchStages)[number];

const hourMs = 3600 * 1000;

/** The stages of exposures of which none is known. */
export const noStages = { known: null, offered: null, installed: null, running: null } as const;

/** Hours between two times, rounded up; never negative. */
export function hoursBetween(from: number, to: number): number {
  return Math.max(0, Math.ceil((to - from) / hourMs));
}

/** What the stages of an exposure are computed from. */
export interface StagedExposure {
  readonly from: Date;
  readonly publishedAt: Date | null;
  readonly offeredAt: Date | null;
  readonly installedAt: Date | null;
  readonly runningAt: Date | null;
}

/**
 * The stages: from publication to the start, if the host had the package before it was known to be affected; from the
 * start to the offer; from the later of both to the installation; from there until it ran.
 * @param isFromKnowledge whether it began with a change of what is known, and not with one on the host
 */
export function stagesOf(
  exposure: StagedExposure,
  { isFromKnowledge }: { readonly isFromKnowledge: boolean },
): CountedExposures['stages'] {
  const from = exposure.from.getTime();
  const offered = timeOf(exposure.offeredAt);
  const installed = timeOf(exposure.installedAt);
  return {
    known: isFromKnowledge ? hoursIfKnown(timeOf(exposure.publishedAt), from) : null,
    offered: hoursIfKnown(from, offered),
    installed: offered === null ? null : hoursIfKnown(Math.max(from, offered), installed),
    running: hoursIfKnown(installed, timeOf(exposure.runningAt)),
  };
}

function timeOf(date: Date | null): number | null {
  return date === null ? null : date.getTime();
}

function hoursIfKnown(start: number | null, end: number | null): number | null {
  return start === null || end === null ? null : hoursBetween(start, end);
}

/** Sums up equal exposures. */
export function countEqual(
  exposures: readonly Omit<CountedExposures, 'count'>[],
): readonly CountedExposures[] {
  const counted = new Map<string, CountedExposures & { count: number }>();
  for (const one of exposures) {
    const { severity, hasFix, since, until, timedSince, fixableAt, cause, hours, stages } = one;
    const times = `${since} ${until} ${timedSince} ${fixableAt} ${hours} ${patchStages.map((stage) => stages[stage]).join(' ')}`;
    const key = `${severity} ${hasFix} ${cause} ${times}`;
    const same = counted.get(key);
    if (same === undefined) counted.set(key, { ...one, count: 1 });
    else same.count += 1;
  }
  return [...counted.values()];
}

/** SQL: the columns of `exposure_counts` that say what is counted. */
export const countColumns =
  'severity, has_fix, since, until, timed_since, fixable_at, cause, count, hours, known, offered, installed, running';

/** SQL: a table `name` of (host_id, `countColumns`) from a parameter with what `countsInJson` returned. */
export function countsFromJson(parameter: string, name: string): string {
  return `json_to_recordset(${parameter}::json) AS ${name} (host_id uuid, severity text, has_fix bool, since timestamptz,
    until timestamptz, timed_since timestamptz, fixable_at timestamptz, cause text, count int, hours int, known int, offered int, installed int, running int)`;
}

/** Counted exposures as a parameter of `countsFromJson`. */
export function countsInJson(
  hosts: readonly { readonly hostId: string; readonly counts: readonly CountedExposures[] }[],
): string {
  return JSON.stringify(
    hosts.flatMap(({ hostId, counts }) =>
      counts.map(
        ({ severity, hasFix, since, until, timedSince, fixableAt, cause, count, hours, stages }) => ({
          host_id: hostId,
          severity,
          has_fix: hasFix,
          since: timeInSql(since),
          until: timeInSql(until),
          timed_since: timeInSql(timedSince),
          fixable_at: fixableAt === null ? null : timeInSql(fixableAt),
          cause,
          count,
          hours,
          ...stages,
        }),
      ),
    ),
  );
}

function timeInSql(time: number): string {
  return Number.isFinite(time) ? new Date(time).toISOString() : 'infinity';
}
