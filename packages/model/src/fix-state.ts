/**
 * What stands between a finding and its fix, in the order in which a row takes the state of its advisories: the first
 * present wins (HTTP contract, VulnerablePackage).
 */
export const fixStates = [
  'installable',
  'held',
  'phased',
  'pending_reboot',
  'needs_subscription',
  'not_in_repositories',
  'fix_published',
  'livepatched',
  'will_not_fix',
  'under_investigation',
  'no_fix',
] as const;

/** One of `fixStates`. */
export type FixState = (typeof fixStates)[number];
