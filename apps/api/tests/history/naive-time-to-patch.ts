import { exposuresOf, type NaiveExposure } from './naive-exposures.ts';
import { exposedOf, isKernel, knowledgeAt, reportAt } from './naive-hosts.ts';
import { matchesOf } from './naive-knowledge.ts';
import {
  type NaiveEvent,
  type NaiveInterval,
  type NaiveVersion,
  recordKey,
  versionKey,
} from './naive-model.ts';
import { remediationOf } from './naive-remediation.ts';
import type { NaiveWaiver } from './simulated-waivers.ts';

/** The period and the hosts of a question. */
export interface NaivePeriod {
  readonly from: Date;
  readonly to: Date;
  readonly hosts: readonly string[];
  /** When every advisory of the simulation was published. */
  readonly publishedAt: Date;
  readonly waivers: readonly NaiveWaiver[];
}

/** The numbers of one severity, as the service answers them. */
export interface NaiveTimes {
  readonly closed: number;
  readonly open: number;
  readonly open_without_fix: number;
  readonly open_waived: number;
  readonly open_on_silent_hosts: number;
  readonly ended_otherwise: number;
  readonly median_hours: number | null;
  readonly p90_hours: number | null;
  readonly within: Readonly<Record<string, number | null>>;
  readonly stages: Readonly<Record<string, number | null>>;
  readonly open_by_day: readonly (number | null)[];
}

interface RatedExposure extends NaiveExposure {
  readonly host: string;
  readonly severity: string;
  /** Since when its time counts, and why it began then. */
  readonly timed: { readonly from: Date; readonly fromCause: string };
}

/** Computes everything from the uploads and imports, exposure by exposure. */
export function timeToPatchOf(
  events: readonly NaiveEvent[],
  intervalsOf: (version: string) => readonly NaiveInterval[],
  period: NaivePeriod,
): {
  readonly silent: number;
  readonly continued: number;
  readonly bySeverity: ReadonlyMap<string, NaiveTimes>;
} {
  const silent = new Set(period.hosts.filter((host) => isSilent(events, host, period)));
  const exposures = period.hosts.flatMap((host) =>
    exposuresOf(events, host, intervalsOf).map((exposure) => ({
      ...exposure,
      host,
      severity: severityOf(events, exposure),
      timed: timedOf(exposure, { events, host, intervalsOf }),
    })),
  );
  const counted = exposures.filter(({ severity }) => severity !== 'none');
  const continued = new Set(counted.filter((exposure) => isContinued(exposure, counted, events)));
  const severities = ['critical', 'important', 'moderate', 'low', 'unrated'];
  return {
    silent: silent.size,
    continued: continued.size,
    bySeverity: new Map(
      severities.map((severity) => {
        const rated = exposures.filter((exposure) => exposure.severity === severity);
        return [severity, timesOf(rated, { events, intervalsOf, silent, continued, period })];
      }),
    ),
  };
}

/** No report in the period. */
function isSilent(events: readonly NaiveEvent[], host: string, { from, to }: NaivePeriod): boolean {
  return !events.some(
    (event) => event.kind === 'upload' && event.host === host && event.at >= from && event.at < to,
  );
}

/** What the record said of the version last. */
function severityOf(events: readonly NaiveEvent[], { version, record, matchedUntil }: NaiveExposure): string {
  const last = new Date(matchedUntil === null ? Date.now() : matchedUntil.getTime() - 1);
  const found = matchesOf(version, knowledgeAt(events, last)).find(
    (match) => recordKey(match.record) === record,
  );
  return found?.statement.severity ?? 'none';
}

/** Whether the record named a fix for what the host had at the end of the period, as was known then. */
function hadFix(exposure: RatedExposure, { events, period: { to } }: Context): boolean {
  const { version: last, record, host, until } = exposure;
  const then = until === null || until > to ? to : new Date(until.getTime() - 1);
  const had = hadAt(events, host, last, then);
  const said =
    had && matchesOf(had, knowledgeAt(events, then)).find((match) => recordKey(match.record) === record);
  if (said == null) throw new Error(`${record} affected nothing of ${host} at ${then.toISOString()}`);
  return said.statement.fixed !== null;
}

/** The version of the exposure's package that the host had, or ran, at a time. */
function hadAt(
  events: readonly NaiveEvent[],
  host: string,
  last: NaiveVersion,
  at: Date,
): NaiveVersion | null {
  const report = reportAt(events, host, at);
  return (report === null ? [] : exposedOf(report)).find((one) => isSamePackage(one, last)) ?? null;
}

const isSamePackage = (one: NaiveVersion, other: NaiveVersion): boolean =>
  isKernel(one) ? isKernel(other) : one.name === other.name;

/** Of what the record that begins to count was known before, by others: when the host was first exposed to it. */
function timedOf(
  exposure: NaiveExposure,
  {
    events,
    host,
    intervalsOf,
  }: {
    readonly events: readonly NaiveEvent[];
    readonly host: string;
    readonly intervalsOf: (version: string) => readonly NaiveInterval[];
  },
): RatedExposure['timed'] {
  const { from, fromCause, version, record } = exposure;
  const first = isOfHost(fromCause) ? null : hadAt(events, host, version, from);
  const begun = first && intervalsOf(versionKey(first)).filter((one) => one.record === record);
  if (!begun?.some(({ since, knownAt }) => since.getTime() === from.getTime() && knownAt < from))
    return { from, fromCause };
  const knownThen = (key: string) =>
    intervalsOf(key).flatMap((one) => {
      const since = one.knownAt < one.since ? one.knownAt : one.since;
      return one.record === record && one.since <= from ? [{ ...one, since }] : [];
    });
  const whole = exposuresOf(events, host, knownThen).find(
    (one) =>
      isSamePackage(one.version, version) && one.from <= from && (one.until === null || one.until > from),
  );
  if (whole === undefined) throw new Error(`${record} affected nothing of ${host} at ${from.toISOString()}`);
  return whole;
}

/** Whether another record took over a CVE of the exposure, with its age, as the exposure ended. */
function isContinued(
  { host, version, record, until, untilCause }: RatedExposure,
  all: readonly RatedExposure[],
  events: readonly NaiveEvent[],
): boolean {
  if (until === null || untilCause !== 'source_changed') return false;
  const cvesAt = (at: Date, of: string) => {
    const had = hadAt(events, host, version, at);
    const found = had === null ? [] : matchesOf(had, knowledgeAt(events, at));
    return found.filter((match) => recordKey(match.record) === of).flatMap(({ open }) => open);
  };
  const cves = cvesAt(new Date(until.getTime() - 1), record);
  return all.some(
    (other) =>
      other.host === host &&
      isSamePackage(other.version, version) &&
      other.from.getTime() === until.getTime() &&
      other.timed.from < other.from &&
      cvesAt(until, other.record).some((cve) => cves.includes(cve)),
  );
}

interface Context {
  readonly events: readonly NaiveEvent[];
  readonly intervalsOf: (version: string) => readonly NaiveInterval[];
  readonly silent: ReadonlySet<string>;
  /** The exposures that ended as others went on about the same CVEs. */
  readonly continued: ReadonlySet<NaiveExposure>;
  readonly period: NaivePeriod;
}

function timesOf(exposures: readonly RatedExposure[], context: Context): NaiveTimes {
  const { from, to } = context.period;
  const ended = exposures.filter(({ until }) => until !== null && until >= from && until < to);
  const closed = ended.filter(({ untilCause }) => isOfHost(untilCause));
  const open = exposures.filter(
    (exposure) => exposure.from < to && (exposure.until === null || exposure.until >= to),
  );
  const heard = open.filter(({ host }) => !context.silent.has(host));
  const asked = heard.filter((exposure) => !isWaived(exposure, context));
  const fixable = asked.filter((exposure) => hadFix(exposure, context));
  const hours = closed.map((exposure) => hoursOf(exposure.timed.from, exposure.until ?? to));
  const ages = fixable.map((exposure) => hoursOf(exposure.timed.from, to));
  const share = (days: number) => {
    const limit = days * 24;
    const all = hours.length + ages.filter((age) => age > limit).length;
    return all === 0 ? null : hours.filter((each) => each <= limit).length / all;
  };
  const stage = (stageOf: (exposure: RatedExposure) => number | null) =>
    quantile(
      closed.map(stageOf).filter((each) => each !== null),
      0.5,
    );
  const fixOf = (exposure: RatedExposure) =>
    remediationOf(exposure, {
      events: context.events,
      host: exposure.host,
      intervalsOf: context.intervalsOf,
    });
  return {
    closed: closed.length,
    open: fixable.length,
    open_without_fix: asked.length - fixable.length,
    open_waived: heard.length - asked.length,
    open_on_silent_hosts: open.length - heard.length,
    ended_otherwise: ended.filter((each) => !closed.includes(each) && !context.continued.has(each)).length,
    median_hours: quantile(hours, 0.5),
    p90_hours: quantile(hours, 0.9),
    within: { '3': share(3), '7': share(7), '14': share(14), '30': share(30), '90': share(90) },
    stages: {
      known: stage(({ timed }) =>
        isOfHost(timed.fromCause) ? null : hoursOf(context.period.publishedAt, timed.from),
      ),
      offered: stage((exposure) => hoursIfReached(exposure.timed.from, fixOf(exposure).offeredAt)),
      installed: stage((exposure) => {
        const { offeredAt, installedAt } = fixOf(exposure);
        if (offeredAt === null) return null;
        return hoursIfReached(offeredAt > exposure.timed.from ? offeredAt : exposure.timed.from, installedAt);
      }),
      running: stage((exposure) => {
        const { installedAt, runningAt } = fixOf(exposure);
        return installedAt === null ? null : hoursIfReached(installedAt, runningAt);
      }),
    },
    open_by_day: openByDay(exposures, context),
  };
}

/** Whether a waiver of then covered an exposure at the end of the period. */
function isWaived({ version, record, host }: RatedExposure, { events, period }: Context): boolean {
  const { to, waivers } = period;
  const applying = waivers.filter(
    ({ packages, hosts, from, until }) =>
      from <= to &&
      to < until &&
      (hosts === null || hosts.includes(host)) &&
      (packages.includes(version.name) || packages.includes(version.matchName)),
  );
  if (applying.some(({ kind }) => kind !== 'snoozed_until_fix')) return true;
  // Not its match: the last version of an exposure may have had the fix of then.
  const said = knowledgeAt(events, to)
    .records.get(record)
    ?.statements.find(({ release, name }) => release === version.release && name === version.matchName);
  return applying.length > 0 && said?.fixed == null;
}

/** Null at the end of days on which no host had reported whose release a record had named. */
function openByDay(
  exposures: readonly RatedExposure[],
  { events, period }: Context,
): readonly (number | null)[] {
  const { from, to } = period;
  const counts: (number | null)[] = [];
  for (let end = new Date(from.toISOString().slice(0, 10)); end < to; ) {
    end = new Date(end.getTime() + 86_400_000);
    const at = end < to ? end : to;
    const open = exposures.filter((each) => each.from < at && (each.until === null || each.until >= at));
    counts.push(isKnown(events, end) ? open.length : null);
  }
  return counts;
}

/** Whether a host had reported before a time whose release a record had named. */
function isKnown(events: readonly NaiveEvent[], before: Date): boolean {
  const past = events.filter(({ at }) => at < before);
  const named = new Set(
    past.flatMap((event) =>
      event.kind === 'import'
        ? event.records.flatMap(({ statements }) => statements.map(({ release }) => release))
        : [],
    ),
  );
  return past.some(
    (event) => event.kind === 'upload' && event.report.packages.some(({ release }) => named.has(release)),
  );
}

const isOfHost = (cause: string | null): boolean =>
  cause === 'package_changed' || cause === 'kernel_booted' || cause === 'first_snapshot';

const hoursOf = (from: Date, to: Date): number =>
  Math.max(0, Math.ceil((to.getTime() - from.getTime()) / 3_600_000));

const hoursIfReached = (from: Date, to: Date | null): number | null =>
  to === null ? null : hoursOf(from, to);

/** The smallest value that a part of all values does not exceed. */
function quantile(values: readonly number[], part: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * part - 1e-9) - 1] ?? null;
}
