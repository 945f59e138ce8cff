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
  const open = new Set(openCves);
  return {
    severity,
    cves: dates.cves.filter(({ id }) => open.has(id)),
    fix: isFixed ? { publishedAt: fixPublishedAt, isDateKnown: isFixDateKnown } : null,
    statedAt,
  };
}

/** A day of the policy: 24 hours in UTC, whatever the time zone of the reader. */
export const dayMs = 24 * 60 * 60_000;

/**
 * The deadline of an open advisory by a host's terms: of its CVEs the one with the earliest deadline counts.
 * @param installedAt when the host got the package version.
 */
export function deadlineOf(facts: DueFacts, terms: DueTerms, installedAt: number): Deadline {
  const [first, ...others] = decisionsOf(facts, terms).map((decision) =>
    datedBy(decision, facts, installedAt),
  );
  if (first === undefined) throw new Error('an advisory has at least one decision');
  return others.reduce((strictest, each) => (isStricter(each, strictest) ? each : strictest), first);
}

/** When findings by a statement are due, as far as it is the same on all hosts with equal terms. */
export interface DueSpan {
  /** The earliest deadline that does not depend on the host; infinite if there is none. */
  readonly at: number;
  /** Deadlines that start when the host gets the version, but not before a time. */
  readonly afterInstallation: readonly { readonly notBefore: number; readonly spanMs: number }[];
}

/** The span without a deadline. */
export const noDueSpan: DueSpan = { at: Number.POSITIVE_INFINITY, afterInstallation: [] };

/** The span of some statements together. `dueIn` of it equals the earliest of their deadlines. */
export function dueSpanOf(statements: Iterable<DueFacts>, terms: DueTerms): DueSpan {
  let at = Number.POSITIVE_INFINITY;
  const afterInstallation: { notBefore: number; spanMs: number }[] = [];
  for (const facts of statements)
    for (const { rule, cve } of decisionsOf(facts, terms)) {
      if (rule === null || rule.within === 'next_upgrade') continue;
      const spanMs = rule.within * dayMs;
      if (rule.clock === 'installed') {
        const notBefore = facts.statedAt;
        const isCovered = afterInstallation.some((o) => o.notBefore <= notBefore && o.spanMs <= spanMs);
        if (!isCovered) afterInstallation.push({ notBefore, spanMs });
        continue;
      }
      const startedAt = startOf(rule.clock, facts, cve, 0);
      if (startedAt !== null) at = Math.min(at, startedAt + spanMs);
    }
  return { at, afterInstallation };
}

/** When a span ends on a host; infinite if it never does. */
export function dueIn({ at, afterInstallation }: DueSpan, installedAt: number): number {
  return afterInstallation.reduce(
    (earliest, { notBefore, spanMs }) => Math.min(earliest, Math.max(installedAt, notBefore) + spanMs),
    at,
  );
}

/**
 * When a host got a version, as far as the end of a span, or of the span of any of its statements, depends on it: 0 if it
 * was before all of these could begin.
 */
export function installationIn({ afterInstallation }: DueSpan, installedAt: number): number {
  return afterInstallation.some(({ notBefore }) => notBefore < installedAt) ? installedAt : 0;
}

interface Decision {
  readonly cve: DueCve | null;
  readonly rule: NumberedRule | null;
  readonly assumptions: ReadonlySet<DueAssumption>;
}

/** For each CVE the first rule that applies. */
function decisionsOf(facts: DueFacts, { exposure, rules, isCatalogOld }: DueTerms): readonly Decision[] {
  const cves: readonly (DueCve | null)[] = facts.cves.length === 0 ? [null] : facts.cves;
  return cves.map((cve) => {
    const assumptions = new Set<DueAssumption>();
    const assume = <Value>(assumption: DueAssumption, value: Value): Value => {
      assumptions.add(assumption);
      return value;
    };
    const isExploited = cve !== null && cve.exploitedAt !== null;
    const withoutSsvc: DueAssumption =
      cve === null ? 'no_cve' : isExploited ? 'ssvc_of_exploited_unknown' : 'ssvc_unknown';
    const actual = {
      severity: () => facts.severity,
      knownExploited() {
        if (cve === null) return assume('no_cve', false);
        return isCatalogOld === true && !isExploited ? assume('exploitation_unknown', false) : isExploited;
      },
      exposure: () => (exposure === 'unknown' ? assume('exposure_unknown', 'public') : exposure),
      automatable: () => cve?.ssvc?.automatable ?? assume(withoutSsvc, isExploited),
      impact: () => cve?.ssvc?.impact ?? assume(withoutSsvc, 'total'),
    };
    const conditions = Object.keys(actual) as (keyof typeof actual)[]; // The object's own keys.
    const applies = (rule: NumberedRule) =>
      conditions.every((name) => rule[name] === undefined || rule[name] === actual[name]());
    return { cve, rule: rules.find(applies) ?? null, assumptions };
  });
}

function startOf(clock: DueClock, facts: DueFacts, cve: DueCve | null, installedAt: number): number | null {
  switch (clock) {
    case 'published':
      return facts.fix?.publishedAt ?? null;
    case 'installed':
      // Before the advisory there was nothing to close.
      return Math.max(installedAt, facts.statedAt);
    case 'kev':
      return cve?.exploitedAt ?? facts.statedAt;
  }
}

function datedBy({ cve, rule, assumptions }: Decision, facts: DueFacts, installedAt: number): Deadline {
  const id = cve?.id ?? null;
  if (rule === null) return { ...undated('no_rule', id), assumptions: inOrder(assumptions) };
  const { n, within, clock, forensics } = rule;
  const common = { rule: n, clock, forensics, cve: id };
  if (within === 'next_upgrade')
    return { ...undated('next_upgrade', id), ...common, assumptions: inOrder(assumptions) };
  const startedAt = startOf(clock, facts, cve, installedAt);
  if (startedAt === null)
    return { ...undated('no_fix', id), ...common, days: within, assumptions: inOrder(assumptions) };
  const isAssumed = clock === 'published' && facts.fix?.isDateKnown === false;
  const all = isAssumed ? new Set([...assumptions, 'fix_date_unknown' as const]) : assumptions;
  return {
    ...common,
    at: startedAt + within * dayMs,
    undated: null,
    days: within,
    startedAt,
    assumptions: inOrder(all),
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

/** Whether a deadline is earlier; with equal times the one that asks for forensics, then the earlier rule. */
function isStricter(a: Deadline, b: Deadline): boolean {
  const difference = (a.at ?? Number.POSITIVE_INFINITY) - (b.at ?? Number.POSITIVE_INFINITY);
  if (difference !== 0 && !Number.isNaN(difference)) return difference < 0;
  if (a.forensics !== b.forensics) return a.forensics;
  return (a.rule ?? Number.POSITIVE_INFINITY) < (b.rule ?? Number.POSITIVE_INFINITY);
}
