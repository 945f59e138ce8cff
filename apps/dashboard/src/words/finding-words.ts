import type { VulnerablePackage } from '@plimsoll/contract';
import { groupedNumber } from '../design/number-words.ts';
import type { Word } from './host-words.ts';

type Severity = VulnerablePackage['severity'];
type FixState = VulnerablePackage['fix_state'];

/** Severities, worst first. */
export const severityOrder: readonly Severity[] = [
  'critical',
  'important',
  'moderate',
  'low',
  'unrated',
  'none',
];

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

/** How a finding can be fixed, or why it cannot. */
export const fixWords: Readonly<Record<FixState, Word>> = {
  installable: { words: 'Installable', tone: 'good', meaning: "The host's repositories offer the fix." },
  held: {
    words: 'Held back',
    tone: 'moderate',
    meaning: 'The package is held or excluded on the host.',
  },
  phased: {
    words: 'Phased',
    tone: 'neutral',
    meaning: 'The publisher offers the fix to other hosts first; this host gets it later.',
  },
  pending_reboot: {
    words: 'Reboot pending',
    tone: 'important',
    meaning: 'The fixed kernel is installed, but an older one is running.',
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
  livepatched: { words: 'Livepatched', tone: 'good', meaning: 'The running kernel was patched in memory.' },
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

/**
 * That a finding's way to be fixed is not that of all its advisories, and those of the others with their numbers; null
 * if it is: the state of a finding is the best one of its advisories.
 */
export function otherFixStates(
  fixState: FixState,
  advisories: readonly { readonly fix_state: FixState }[],
): string | null {
  const others = advisories.map(({ fix_state }) => fix_state).filter((state) => state !== fixState);
  if (others.length === 0) return null;
  const counted = [...new Set(others)].map((state) => {
    const count = others.filter((other) => other === state).length;
    return `${fixWords[state].words.toLowerCase()} (${count})`;
  });
  return `This is so for ${advisories.length - others.length} of ${advisories.length} advisories. The others: ${counted.join(', ')}.`;
}

/**
 * How many rows are not counted because their vendors have decided on none of their advisories; null: none. Waived rows
 * are counted apart, whatever their vendors say.
 */
export function uncountedInWords(
  rows: readonly {
    readonly advisories: readonly { readonly fix_state: FixState }[];
    readonly waiver?: unknown;
  }[],
): string | null {
  const undecided = rows.filter(
    ({ advisories, waiver }) =>
      waiver === undefined && advisories.every(({ fix_state }) => fix_state === 'under_investigation'),
  ).length;
  if (undecided === 0) return null;
  const which =
    undecided === 1
      ? 'row is not counted because its vendor is'
      : 'rows are not counted because their vendors are';
  return `${groupedNumber(undecided)} ${which} still investigating whether the package is affected.`;
}
