import type { DueAssumption, DueClock, DueCve, UndatedReason } from '@plimsoll/model';
import { dayMs, type HostTimes, startOf } from './due-clock.ts';
import { type Decision, decisionOf, inOrder } from './due-decision.ts';
import type { DueFacts } from './due-facts.ts';
import type { DueTerms } from './due-policy.ts';

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

/** Of two decisions with equal ends: whether this one asks for forensics, or is by an earlier rule. */
function isStricter(a: Decision, b: Decision): boolean {
  const [isForensic, isOtherForensic] = [a.rule?.forensics ?? false, b.rule?.forensics ?? false];
  if (isForensic !== isOtherForensic) return isForensic;
  return (a.rule?.n ?? Number.POSITIVE_INFINITY) < (b.rule?.n ?? Number.POSITIVE_INFINITY);
}
