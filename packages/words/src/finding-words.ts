import type { ExposureCause, FixState, HostChangeCause, Severity } from '@plimsoll/model';
import type { Word } from './word.ts';

/** Severity by the vendor. */
export const severityWords: Readonly<Record<Severity, Word>> = {
  critical: {
    words: 'Critical',
    tone: 'critical',
    meaning: "The vendor's highest rating, or CVSS 9.0 and more.",
  },
  important: { words: 'Important', tone: 'important', meaning: 'Also called high; CVSS 7.0 to 8.9.' },
  moderate: { words: 'Moderate', tone: 'moderate', meaning: 'Also called medium; CVSS 4.0 to 6.9.' },
  low: { words: 'Low', tone: 'low', meaning: 'CVSS below 4.0.' },
  unrated: { words: 'Unrated', tone: 'neutral', meaning: 'Not rated yet.' },
  none: {
    words: 'Negligible',
    tone: 'neutral',
    meaning: 'The vendor does not consider it a security issue in practice.',
  },
};

/** The severities, worst first. */
export const severityOrder = Object.keys(severityWords) as readonly Severity[]; // its keys are the severities

/** Rows of open findings by severity, where those without a fix are counted apart. */
export const openWords: Readonly<Record<Severity | 'unfixed', { readonly words: string }>> = {
  ...severityWords,
  unfixed: { words: 'Without a fix' },
};

/** How a finding can be fixed, or why it cannot. */
export const fixWords: Readonly<Record<FixState, Word>> = {
  installable: { words: 'Installable', tone: 'good', meaning: "The host's repositories offer the fix." },
  held: {
    words: 'Held back',
    tone: 'moderate',
    meaning: 'The package is held back or excluded.',
  },
  phased: {
    words: 'Phased',
    tone: 'neutral',
    meaning: 'The publisher offers the fix to other hosts first; this host gets it later.',
  },
  unfinished: {
    words: 'Unfinished',
    tone: 'important',
    meaning:
      'The fixed version was unpacked, but its installation did not end: the package manager has to finish it.',
  },
  pending_reboot: {
    words: 'Reboot pending',
    tone: 'important',
    meaning: 'The host has to boot the fixed kernel: it runs an older one.',
  },
  needs_subscription: {
    words: 'Needs subscription',
    tone: 'moderate',
    meaning: 'The fix requires a subscription, such as Ubuntu Pro, that the host does not have.',
  },
  not_in_repositories: {
    words: 'Not in repositories',
    tone: 'important',
    meaning: "The fix is published, but the host's repositories do not offer it.",
  },
  fix_published: {
    words: 'Fix published',
    tone: 'low',
    meaning: 'The fix is published. Whether the repositories of the host offer it is not known.',
  },
  livepatched: {
    words: 'Livepatched',
    tone: 'good',
    meaning: 'The running kernel is patched in memory; the installed one is not fixed.',
  },
  will_not_fix: {
    words: 'Will not be fixed',
    tone: 'neutral',
    meaning: 'The vendor says it will not be fixed.',
  },
  under_investigation: {
    words: 'Under investigation',
    tone: 'neutral',
    meaning: 'The vendor has not decided whether the package is affected.',
  },
  no_fix: { words: 'No fix yet', tone: 'neutral', meaning: 'The vendor has published no fix.' },
};

/** Why a finding began or ended. */
export const causeWords: Readonly<Record<HostChangeCause | ExposureCause, string>> = {
  first_snapshot: 'In the first report of the host',
  package_changed: 'The package changed',
  kernel_booted: 'Another kernel is running',
  advisory_published: 'The advisory is new',
  advisory_changed: 'The advisory changed',
  advisory_withdrawn: 'The advisory was withdrawn',
  rules_changed: 'Plimsoll judges it differently',
  source_changed: 'Another advisory about it counts now',
  waived: 'A waiver began or ended',
};
