import { type DueAssumption, type DueCve, dueAssumptions, type Severity } from '@plimsoll/model';
import type { DueTerms, NumberedRule } from './due-policy.ts';

/** The first rule that applies to an advisory of one CVE, or of none. */
export interface Decision {
  readonly rule: NumberedRule | null;
  readonly assumptions: readonly DueAssumption[];
}

/** Decisions that were made, by all that they depend on besides the terms: most CVEs of a host have few differences. */
const made = new WeakMap<DueTerms, Map<string, Decision>>();

/** The decision about a CVE, or about an advisory without one. */
export function decisionOf(severity: Severity, cve: DueCve | null, terms: DueTerms): Decision {
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

/** Assumptions in the order of `dueAssumptions`. */
export function inOrder(assumptions: ReadonlySet<DueAssumption>): readonly DueAssumption[] {
  return dueAssumptions.filter((assumption) => assumptions.has(assumption));
}
