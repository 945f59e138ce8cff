import type { Gap } from './gap.ts';

/** Gaps that keep the silence of a feed from meaning "not affected", the most fundamental first. */
export const silenceGaps = [
  'no_feed',
  'feed_never_synced',
  'release_eol',
  'feed_outdated',
  'feed_lists_fixes_only',
  'report_outdated',
] as const satisfies readonly Gap[];

/**
 * Why a package of a host is a finding of an advisory, or is none; of several packages and statements the first in this
 * order counts.
 *
 * `finding`, `hidden`: it is one; the vendor calls it negligible. `not_reported`: nothing of the host was matched yet.
 * `unknown_advisory`: no feed has it. `no_verdict`: nothing can be said of the package. The
 * words of `silenceGaps`: no feed says anything, and for this reason that does not mean "not affected". `kernel_not_running`: a kernel
 * whose findings do not count. `fixed`: the installed version has the fix. `other_build`: the advisory speaks of other
 * architectures, another module or line. `refined`: another statement says it in more detail. `withdrawn`: the vendor
 * took it back. `folded`: an erratum for which the records of its CVEs speak. `excluded`: the package raises no findings
 * by rule. `not_listed`: the advisory names other packages of the host's release. `other_release`: it names the package
 * in other releases only. `not_installed`: the host does not have the package.
 */
export const explanationReasons = [
  'finding',
  'hidden',
  'not_reported',
  'unknown_advisory',
  'no_verdict',
  ...silenceGaps,
  'kernel_not_running',
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

/** The answers there are; `unknown` where nothing is known of the host, the advisory or the package. */
export const explanationVerdicts = ['finding', 'hidden', 'not_a_finding', 'unknown'] as const;
export type ExplanationVerdict = (typeof explanationVerdicts)[number];

/**
 * The judgement of a statement about a package. `fixed`: the package has the fixed version or a newer one. `folded`: an erratum whose
 * CVEs all have records of their own, which take its place. `other_build`: it speaks of other architectures, another module
 * or another line. `refined`: another source says the same advisory in more detail, the package's own line has a
 * statement about the same CVEs, or an advisory about the package itself names what a statement about its source calls
 * unfixed. `not_compared`: the package version has no place in the order.
 */
export const statementJudgements = [
  'affected',
  'fixed',
  'withdrawn',
  'folded',
  'other_build',
  'refined',
  'not_compared',
] as const;
export type StatementJudgement = (typeof statementJudgements)[number];
