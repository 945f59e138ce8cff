import type { NaiveExposure } from './naive-exposures.ts';
import { isKernel, knowledgeAt } from './naive-hosts.ts';
import { matchesOf } from './naive-knowledge.ts';
import {
  compareSimpleVersions,
  type NaiveEvent,
  type NaiveInterval,
  type NaiveRemediation,
  recordKey,
  versionKey,
} from './naive-model.ts';

/** The host of an exposure, and all that happened. */
interface Happened {
  readonly events: readonly NaiveEvent[];
  readonly host: string;
  readonly intervalsOf: (version: string) => readonly NaiveInterval[];
}

/** When the fix of an exposure was offered, installed, and ran. */
export function remediationOf(exposure: NaiveExposure, happened: Happened): NaiveRemediation {
  const offeredAt = offered(exposure, happened);
  if (isKernel(exposure.version))
    return {
      offeredAt,
      installedAt: fixedKernelAt(exposure, happened),
      runningAt: isFixedKernelBooted(exposure, happened) ? exposure.until : null,
    };
  const installedAt = isReplaced(exposure, happened) ? exposure.until : null;
  const runningAt = installedAt && restartedAt(installedAt, happened);
  return { offeredAt, installedAt, runningAt };
}

const uploadsOf = ({ events, host }: Happened) =>
  events.flatMap((event) => (event.kind === 'upload' && event.host === host ? [event] : []));

/** The first report that offers the fix that the record named last. */
function offered({ version, record, matchedUntil }: NaiveExposure, happened: Happened): Date | null {
  const last = matchedUntil === null ? new Date(8.64e15) : new Date(matchedUntil.getTime() - 1);
  const match = matchesOf(version, knowledgeAt(happened.events, last)).find(
    (one) => recordKey(one.record) === record,
  );
  const fixed = match?.statement.fixed ?? null;
  if (fixed === null) return null;
  const first = uploadsOf(happened).find(({ report: { offers } }) =>
    offers.some(
      (offer) => offer.installed.name === version.name && compareSimpleVersions(offer.version, fixed) >= 0,
    ),
  );
  return first?.at ?? null;
}

/** Whether the exposure ended with a report that has another version of the package. */
function isReplaced({ version, until, untilCause }: NaiveExposure, happened: Happened): boolean {
  if (untilCause !== 'package_changed') return false;
  const report = uploadsOf(happened).find(({ at }) => at.getTime() === until?.getTime())?.report;
  return report?.packages.some(({ name }) => name === version.name) ?? false;
}

/** Whether the exposure ended with a report by which a kernel runs that the record never affected. */
function isFixedKernelBooted({ record, until, untilCause }: NaiveExposure, happened: Happened): boolean {
  const report = uploadsOf(happened).find(({ at }) => at.getTime() === until?.getTime())?.report;
  if (untilCause !== 'kernel_booted' || report?.lastRunning == null) return false;
  return !happened.intervalsOf(versionKey(report.lastRunning)).some((interval) => interval.record === record);
}

function restartedAt(from: Date, happened: Happened): Date | null {
  return uploadsOf(happened).find(({ at, report }) => at >= from && report.restart === 'none')?.at ?? null;
}

/** The first report in the exposure with a newer kernel that the record never affected. */
function fixedKernelAt({ version, record, from, until }: NaiveExposure, happened: Happened): Date | null {
  const installed = new Map<string, Date>();
  const times: number[] = [];
  const note = (key: string, since: Date, end: Date | null) => {
    const isFixed = !happened.intervalsOf(key).some((interval) => interval.record === record);
    if (isFixed && (until === null || since <= until) && (end === null || end > from))
      times.push(since.getTime());
  };
  for (const { at, report } of uploadsOf(happened)) {
    const newer = report.packages.filter(
      (each) => isKernel(each) && compareSimpleVersions(each.version, version.version) > 0,
    );
    const keys = new Set(newer.map(versionKey));
    for (const [key, since] of installed) {
      if (keys.has(key)) continue;
      note(key, since, at);
      installed.delete(key);
    }
    for (const key of keys) if (!installed.has(key)) installed.set(key, at);
  }
  for (const [key, since] of installed) note(key, since, null);
  return times.length === 0 ? null : new Date(Math.min(...times));
}
