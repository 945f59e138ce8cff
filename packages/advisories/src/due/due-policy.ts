import type { DueClock, DuePreset, HostExposure } from '@plimsoll/model';
import { bySeverity } from './by-severity.ts';
import { bod2604 } from './cisa-bod-26-04.ts';
import type { DueRule } from './due-rule.ts';
import { fedrampVdr } from './fedramp-vdr.ts';

/** Rules of due dates; the first that applies counts. Without rules nothing is due. */
export interface DuePolicy {
  /** Null: the operator's own rules. */
  readonly preset: DuePreset | null;
  readonly rules: readonly DueRule[];
}

/** The policy without rules. */
export const noDuePolicy: DuePolicy = { preset: null, rules: [] };

const presetRules: Readonly<Record<DuePreset, readonly DueRule[]>> = {
  'cisa-bod-26-04': bod2604,
  'fedramp-vdr': fedrampVdr,
  'by-severity': bySeverity,
};

/** The policy of a preset. */
export function presetPolicy(preset: DuePreset): DuePolicy {
  return { preset, rules: presetRules[preset] };
}

/** Whether a due date by a policy can depend on whether a CVE is known to be exploited. */
export function asksForExploitation(policy: DuePolicy): boolean {
  return asksForActive(policy) || policy.rules.some(({ knownExploited }) => knownExploited !== undefined);
}

/** Whether a due date by a policy can depend on what SSVC says of exploitation. */
export function asksForActive({ rules }: DuePolicy): boolean {
  return rules.some(({ exploitation }) => exploitation !== undefined);
}

/** What decides on a host's due dates. */
export interface DueTerms {
  readonly exposure: HostExposure;
  /** The rules that apply to its tags, in order. */
  readonly rules: readonly NumberedRule[];
  /** CISA's catalog was never synced or is outdated; absent: it is current. Changes no date, only what is said of it. */
  readonly isCatalogOld?: boolean;
  /** The same of CISA's decisions by SSVC. */
  readonly areDecisionsOld?: boolean;
}

/** A rule with its position in the policy, from 0. */
export interface NumberedRule extends DueRule {
  readonly n: number;
}

/** The terms of a host with an exposure and tags. */
export function dueTermsOf(policy: DuePolicy, exposure: HostExposure, tags: readonly string[]): DueTerms {
  const rules = policy.rules
    .map((rule, n) => ({ ...rule, n }))
    .filter((rule) => rule.tags === undefined || rule.tags.some((tag) => tags.includes(tag)));
  return { exposure, rules };
}

/** Whether a due date by these terms can depend on when the host got a package version. */
export function dependsOnInstallation(terms: DueTerms): boolean {
  return hasClock(terms, 'installed');
}

/** Whether a due date by these terms can depend on the day of the host's first report. */
export function dependsOnFirstReport(terms: Pick<DuePolicy, 'rules'>): boolean {
  return hasClock(terms, 'detected');
}

function hasClock({ rules }: Pick<DuePolicy, 'rules'>, wanted: DueClock): boolean {
  return rules.some(({ clock, within }) => clock === wanted && within !== 'next_upgrade');
}
