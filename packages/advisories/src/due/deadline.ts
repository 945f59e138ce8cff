import {
  type DueAssumption,
  type DueClock,
  type DueCve,
  dueAssumptions,
  type Severity,
  type Statement,
  type UndatedReason,
} from '@plimsoll/model';
import type { DueTerms, NumberedRule } from './due-policy.ts';

/** What due dates depend on of a statement that is open on a package version. Times are milliseconds since 1970. */
export interface DueFacts {
  readonly severity: Severity;
  /** The CVEs that are open on the version, sorted; empty if the advisory names none. */
  readonly cves: readonly DueCve[];
  /** When the fixed version was first published; null without a fix. */
  readonly fix: { readonly publishedAt: number; readonly isDateKnown: boolean } | null;
  /** When the advisory was published, or first known here if that is earlier. */
  readonly statedAt: number;
}

/** By when an open advisory is to be closed on a host, and why. Times are milliseconds since 1970. */
export interface Deadline {
  /** Null: it has no due date, for the reason in `undated`. */
  readonly at: number | null;
  readonly undated: UndatedReason | null;
  /** The position of the rule in the policy, from 0; null if none applies. */
  readonly rule: number | null;
  /** Null for `next_upgrade` and without a rule. */
  readonly days: number | null;
  readonly clock: DueClock | null;
  /** The start of the clock; null if it has not started. */
  readonly startedAt: number | null;
  /** Whether a rule asks for forensics, also for another one of the CVEs. */
  readonly forensics: boolean;
  /** The CVE that the rule was applied to: of several the one with the earliest due date. Null without CVEs. */
  readonly cve: string | null;
  /** What was assumed to find the rule and the start, in the order of `dueAssumptions`. */
  readonly assumptions: readonly DueAssumption[];
}

/** What due dates depend on of a statement that is open on a package version; null if its dates are not loaded. */
export function dueFactsOf(
  statement: Pick<Statement, 'severity' | 'dates' | 'cves' | 'openCves'> & {
    readonly fix: Pick<Statement['fix'], 'kind'>;
  },
): DueFacts | null {
  const { severity, dates, fix, cves, openCves = cves } = statement;
  if (dates === undefined) return null;
  const { fixPublishedAt, isFixDateKnown, statedAt } = dates;
  const isFixed = fix.kind === 'fixed' && fixPublishedAt !== null;
  return {
    severity,
    cves: onlyOf(dates.cves, openCves),
    fix: isFixed ? { publishedAt: fixPublishedAt, isDateKnown: isFixDateKnown } : null,
    statedAt,
  };
}

/** Those of some CVEs; mostly all of them are. */
function onlyOf(all: readonly DueCve[], wanted: readonly string[]): readonly DueCve[] {
  if (all.length === wanted.length && all.every(({ id }, index) => id === wanted[index])) return all;
  const ids = new Set(wanted);
  return all.filter(({ id }) => ids.has(id));
}

/** A day of the policy: 24 hours in UTC, whatever the time zone of the reader. */
export const dayMs = 24 * 60 * 60_000;

/** The start (UTC) of the day of a time, both in milliseconds since 1970. */
export function startOfDay(time: number): number {
  return time - (time % dayMs);
}

/** When clocks of one host and package version can start. Times are milliseconds since 1970. */
export interface HostTimes {
  /** When the host got the package version. */
  readonly installedAt: number;
  /** The start (UTC) of the day of the host's first report: nothing was detected on it before. */
  readonly firstReportAt: number;
}

/** The deadline of an open advisory by a host's terms: of its CVEs the one with the earliest deadline counts. */
export function deadlineOf(facts: DueFacts, terms: DueTerms, times: HostTimes): Deadline {
  const [first = null, ...others] = facts.cves;
  let strictest = decisionOf(facts.severity, first, terms);
  let cve = first;
  let end = endOf(strictest, facts, first, times);
  let forensics = strictest.rule?.forensics ?? false;
  for (const other of others) {
    const decision = decisionOf(facts.severity, other, terms);
    forensics ||= decision.rule?.forensics ?? false;
    const otherEnd = endOf(decision, facts, other, times);
    if (otherEnd > end || (otherEnd === end && !isStricter(decision, strictest))) continue;
    [strictest, cve, end] = [decision, other, otherEnd];
  }
  return { ...datedBy(strictest, cve, facts, times), forensics };
}

/** Whether a rule asks for forensics on hosts with these terms, for any of the CVEs of an open advisory. */
export function asksForForensics({ severity, cves }: DueFacts, terms: DueTerms): boolean {
  const about = cves.length === 0 ? [null] : cves;
  return about.some((cve) => decisionOf(severity, cve, terms).rule?.forensics === true);
}

/** When findings by a statement are due, as far as it is the same on all hosts with equal terms. */
export interface DueSpan {
  /** The earliest deadline that does not depend on the host; infinite if there is none. */
  readonly at: number;
  /** Deadlines that start when the host gets the version, but not before a time. */
  readonly afterInstallation: readonly SpanStart[];
  /** The same, that start with the host's first report. */
  readonly afterFirstReport: readonly SpanStart[];
}

interface SpanStart {
  readonly notBefore: number;
  readonly spanMs: number;
}

/** The span without a deadline. */
export const noDueSpan: DueSpan = {
  at: Number.POSITIVE_INFINITY,
  afterInstallation: [],
  afterFirstReport: [],
};

/** The span of some statements together. `dueIn` of it equals the earliest of their deadlines. */
export function dueSpanOf(statements: Iterable<DueFacts>, terms: DueTerms): DueSpan {
  let at = Number.POSITIVE_INFINITY;
  const starts: Record<'installed' | 'detected', SpanStart[]> = { installed: [], detected: [] };
  for (const facts of statements)
    for (const cve of facts.cves.length === 0 ? [null] : facts.cves) {
      const { rule } = decisionOf(facts.severity, cve, terms);
      if (rule === null || rule.within === 'next_upgrade') continue;
      const { clock } = rule;
      const spanMs = rule.within * dayMs;
      if (clock === 'installed' || clock === 'detected') {
        const notBefore = facts.statedAt;
        const isCovered = starts[clock].some((o) => o.notBefore <= notBefore && o.spanMs <= spanMs);
        if (!isCovered) starts[clock].push({ notBefore, spanMs });
      }
      const startedAt = sharedStartOf(clock, facts, cve);
      if (startedAt !== null) at = Math.min(at, startedAt + spanMs);
    }
  return { at, afterInstallation: starts.installed, afterFirstReport: starts.detected };
}

/** When a span ends on a host; infinite if it never does. */
export function dueIn({ at, afterInstallation, afterFirstReport }: DueSpan, times: HostTimes): number {
  const afterOwn = endAfter(afterInstallation, times.installedAt);
  return Math.min(at, afterOwn, endAfter(afterFirstReport, times.firstReportAt));
}

function endAfter(starts: readonly SpanStart[], startedAt: number): number {
  return starts.reduce(
    (earliest, { notBefore, spanMs }) => Math.min(earliest, Math.max(startedAt, notBefore) + spanMs),
    Number.POSITIVE_INFINITY,
  );
}

/**
 * When a host got a version, as far as the end of a span, or of the span of any of its statements, depends on it: 0 if it
 * was before all of these could begin.
 */
export function installationIn({ afterInstallation }: DueSpan, installedAt: number): number {
  return afterInstallation.some(({ notBefore }) => notBefore < installedAt) ? installedAt : 0;
}

/** The first rule that applies to an advisory of one CVE, or of none. */
interface Decision {
  readonly rule: NumberedRule | null;
  readonly assumptions: readonly DueAssumption[];
}

/** Decisions that were made, by all that they depend on besides the terms: most CVEs of a host have few differences. */
const made = new WeakMap<DueTerms, Map<string, Decision>>();

function decisionOf(severity: Severity, cve: DueCve | null, terms: DueTerms): Decision {
  const ssvc = cve === null ? null : cve.ssvc;
  const key =
    cve === null
      ? severity
      : `${severity} ${cve.exploitedAt !== null} ${ssvc === null ? '' : `${ssvc.exploitation} ${ssvc.automatable} ${ssvc.impact}`}`;
  const known = made.get(terms) ?? new Map<string, Decision>();
  const found = known.get(key);
  if (found !== undefined) return found;
  const decision = decide(severity, cve, terms);
  made.set(terms, known.set(key, decision));
  return decision;
}

function decide(
  severity: Severity,
  cve: DueCve | null,
  { exposure, rules, isCatalogOld, areDecisionsOld }: DueTerms,
): Decision {
  const assumptions = new Set<DueAssumption>();
  const assume = <Value>(assumption: DueAssumption, value: Value): Value => {
    assumptions.add(assumption);
    return value;
  };
  const isExploited = cve !== null && cve.exploitedAt !== null;
  const withoutSsvc: DueAssumption =
    cve === null ? 'no_cve' : isExploited ? 'ssvc_of_exploited_unknown' : 'ssvc_unknown';
  const actual = {
    severity: () => severity,
    knownExploited() {
      if (cve === null) return assume('no_cve', false);
      return isCatalogOld === true && !isExploited ? assume('exploitation_unknown', false) : isExploited;
    },
    exploitation() {
      if (isExploited || cve?.ssvc?.exploitation === 'active') return 'active';
      if (cve === null) return assume('no_cve', null);
      if (isCatalogOld === true || areDecisionsOld === true) assume('exploitation_unknown', null);
      return cve.ssvc?.exploitation ?? assume('ssvc_unknown', null);
    },
    exposure: () => (exposure === 'unknown' ? assume('exposure_unknown', 'public') : exposure),
    decided: () => cve !== null && cve.ssvc !== null,
    automatable: () => cve?.ssvc?.automatable ?? assume(withoutSsvc, isExploited),
    impact: () => cve?.ssvc?.impact ?? assume(withoutSsvc, 'total'),
  };
  const conditions = Object.keys(actual) as (keyof typeof actual)[]; // The object's own keys.
  const applies = (rule: NumberedRule) =>
    conditions.every((name) => rule[name] === undefined || rule[name] === actual[name]());
  const rule = rules.find(applies) ?? null;
  return { rule, assumptions: inOrder(assumptions) };
}

function startOf(clock: DueClock, facts: DueFacts, cve: DueCve | null, times: HostTimes): number | null {
  const shared = sharedStartOf(clock, facts, cve);
  // Before the advisory there was nothing to close.
  if (clock === 'installed') return Math.max(times.installedAt, facts.statedAt);
  if (clock !== 'detected') return shared;
  return Math.min(Math.max(times.firstReportAt, facts.statedAt), shared ?? Number.POSITIVE_INFINITY);
}

/** The start of a clock that is the same on all hosts; null: there is none. */
function sharedStartOf(clock: DueClock, facts: DueFacts, cve: DueCve | null): number | null {
  switch (clock) {
    case 'published':
      return facts.fix?.publishedAt ?? null;
    case 'installed':
      return null;
    case 'kev':
      return cve?.exploitedAt ?? facts.statedAt;
    case 'detected':
      return cve?.exploitedAt ?? null;
  }
}

/** When a decision has a finding closed; infinite: at no time. */
function endOf({ rule }: Decision, facts: DueFacts, cve: DueCve | null, times: HostTimes): number {
  if (rule === null || rule.within === 'next_upgrade') return Number.POSITIVE_INFINITY;
  const startedAt = startOf(rule.clock, facts, cve, times);
  return startedAt === null ? Number.POSITIVE_INFINITY : startedAt + rule.within * dayMs;
}

function datedBy(
  { rule, assumptions }: Decision,
  cve: DueCve | null,
  facts: DueFacts,
  times: HostTimes,
): Deadline {
  const id = cve?.id ?? null;
  if (rule === null) return { ...undated('no_rule', id), assumptions };
  const { n, within, clock, forensics } = rule;
  const common = { rule: n, clock, forensics, cve: id };
  if (within === 'next_upgrade') return { ...undated('next_upgrade', id), ...common, assumptions };
  const startedAt = startOf(clock, facts, cve, times);
  if (startedAt === null) return { ...undated('no_fix', id), ...common, days: within, assumptions };
  const isAssumed = clock === 'published' && facts.fix?.isDateKnown === false;
  return {
    ...common,
    at: startedAt + within * dayMs,
    undated: null,
    days: within,
    startedAt,
    assumptions: isAssumed ? inOrder(new Set([...assumptions, 'fix_date_unknown'])) : assumptions,
  };
}

/** No due date, for a reason. */
export function undated(reason: UndatedReason, cve: string | null = null): Deadline {
  return {
    at: null,
    undated: reason,
    rule: null,
    days: null,
    clock: null,
    startedAt: null,
    forensics: false,
    cve,
    assumptions: [],
  };
}

function inOrder(assumptions: ReadonlySet<DueAssumption>): readonly DueAssumption[] {
  return dueAssumptions.filter((assumption) => assumptions.has(assumption));
}

/** Of two decisions with equal ends: whether this one asks for forensics, or is by an earlier rule. */
function isStricter(a: Decision, b: Decision): boolean {
  const [isForensic, isOtherForensic] = [a.rule?.forensics ?? false, b.rule?.forensics ?? false];
  if (isForensic !== isOtherForensic) return isForensic;
  return (a.rule?.n ?? Number.POSITIVE_INFINITY) < (b.rule?.n ?? Number.POSITIVE_INFINITY);
}
