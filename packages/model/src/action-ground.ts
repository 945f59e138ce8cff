/**
 * What about a host's findings and updates asks for something to be done; the view `host_overview` makes the one
 * most urgent action of them. Urgent: about an advisory that is critical or known to be exploited. The position of
 * a word is its bit in `host_state.grounds`, so new words go to the end.
 */
export const actionGrounds = [
  /** A finding is open, in whatever state. */
  'open_finding',
  /** An update is offered that this host would install now. */
  'update_waiting',
  /** A fix takes a subscription that the host lacks. */
  'needs_subscription',
  /** The fixed kernel is installed and an older one runs. */
  'pending_reboot',
  /** A published fix does not reach the host: `not_in_repositories` or `held`. */
  'blocked_fix',
  /** A fix is `installable` or `fix_published`, or the package manager flags an unheld update as security. */
  'security_update',
  'urgent_open',
  /** Known exploited, or critical by its vendor's own word, and `no_fix`; or known exploited and `needs_subscription`. */
  'urgent_without_fix',
  'urgent_pending_reboot',
  'urgent_blocked',
  'urgent_installable',
] as const;

/** One of `actionGrounds`. */
export type ActionGround = (typeof actionGrounds)[number];

/** The bits of some grounds. */
export function bitsOfGrounds(some: Iterable<ActionGround>): number {
  return [...some].reduce((bits, ground) => bits | (1 << actionGrounds.indexOf(ground)), 0);
}
