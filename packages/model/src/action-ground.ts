/**
 * Facts about a host's findings and updates that call for an action. The view `host_overview` derives the most urgent
 * action from them. "Urgent" means the advisory is critical or known to be exploited. A word's position is its bit in
 * `host_state.grounds`: append new words at the end.
 */
export const actionGrounds = [
  /** A finding is open, in any state. */
  'open_finding',
  /** The host would install an offered update now. */
  'update_waiting',
  /** The fix needs a subscription that the host lacks. */
  'needs_subscription',
  /** The fixed kernel is installed, but an older one runs. */
  'pending_reboot',
  /** A published fix does not reach the host: `not_in_repositories` or `held`. */
  'blocked_fix',
  /** A fix is `installable` or `fix_published`, or the package manager flags an unheld update as security. */
  'security_update',
  'urgent_open',
  /** `no_fix` and known exploited or rated critical by the vendor; or `needs_subscription` and known exploited. */
  'urgent_without_fix',
  'urgent_pending_reboot',
  'urgent_blocked',
  'urgent_installable',
] as const;

/** One of `actionGrounds`. */
export type ActionGround = (typeof actionGrounds)[number];

/** Returns the bit mask of the given grounds. */
export function bitsOfGrounds(some: Iterable<ActionGround>): number {
  return [...some].reduce((bits, ground) => bits | (1 << actionGrounds.indexOf(ground)), 0);
}

/** The grounds of a bit mask, in the order of `actionGrounds`. */
export function groundsOfBits(bits: number): readonly ActionGround[] {
  return actionGrounds.filter((_, bit) => (bits & (1 << bit)) !== 0);
}
