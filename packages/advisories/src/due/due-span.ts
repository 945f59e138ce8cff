import { dayMs, type HostTimes, sharedStartOf } from './due-clock.ts';
import { decisionOf } from './due-decision.ts';
import type { DueFacts } from './due-facts.ts';
import type { DueTerms } from './due-policy.ts';

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
