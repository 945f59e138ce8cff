import type { Gap } from './host.ts';

/** Gaps because of which a missing advisory does not mean "not affected", the most fundamental first. */
export const silenceGaps = [
  'no_feed',
  'feed_never_synced',
  'release_eol',
  'feed_outdated',
  'feed_lists_fixes_only',
  'report_outdated',
] as const satisfies readonly Gap[];

/**
 * Why a package of a host is, or is not, a finding of an advisory. For several packages and statements the first
 * reason in this order applies.
 *
 * `finding`, `hidden`: it is a finding; `hidden` if the vendor rates it negligible. `not_reported`: the host has not
 * been matched yet. `unknown_advisory`: no feed has it. `no_verdict`: the package has no verdict. The words of
 * `silenceGaps`: no feed covers the package, but for this reason that does not mean "not affected".
 * `kernel_not_running`: a kernel whose findings do not count. `fixed`: the installed version has the fix.
 * `other_build`: the advisory covers other architectures, another module or line. `refined`: another statement
 * describes it in more detail. `withdrawn`: the vendor withdrew it. `folded`: an erratum that the records of its CVEs
 * replace. `overridden`: an entry of the list of known feed errors says that the installed version is not affected.
 * `excluded`: a rule exempts the package from findings. `not_listed`: the advisory names other packages of
 * the host's release. `other_release`: it names the package in other releases only. `not_installed`: the host does not
 * have the package.
 */
export const explanationReasons = [
  'finding',
  'hidden',
  'not_reported',
  'unknown_advisory',
  'no_verdict',
  ...silenceGaps,
  'kernel_not_running',
  'overridden',
  'fixed',
  'other_build',
  'refined',
  'withdrawn',
  'folded',
  'excluded',
  'not_listed',
  'other_release',
  'not_installed',
] as const;
export type ExplanationReason = (typeof explanationReasons)[number];

/** The possible answers; `unknown` if the host, the advisory or the package is not known. */
export const explanationVerdicts = ['finding', 'hidden', 'not_a_finding', 'unknown'] as const;
export type ExplanationVerdict = (typeof explanationVerdicts)[number];

/**
 * The judgement of a statement about a package. `fixed`: the package has the fixed version or a newer one. `folded`:
 * an erratum whose CVEs all have records of their own, which replace it. `other_build`: covers other architectures,
 * another module or another line. `refined`: another source describes the same advisory in more detail, the package's
 * own line has a statement about the same CVEs, or an advisory about the package itself covers what a statement about
 * its source calls unfixed. `overridden`: an entry of the list of known feed errors says that the version is not
 * affected.
 */
export const statementJudgements = [
  'affected',
  'fixed',
  'withdrawn',
  'folded',
  'other_build',
  'refined',
  'overridden',
] as const;
export type StatementJudgement = (typeof statementJudgements)[number];
