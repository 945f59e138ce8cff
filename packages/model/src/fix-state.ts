/**
 * What separates a finding from its fix. A row takes the first state that one of its advisories has (HTTP contract,
 * VulnerablePackage).
 */
export const fixStates = [
  'installable',
  'held',
  'phased',
  /** The fixed version was unpacked, but its installation did not end. */
  'unfinished',
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
