import type { WaiverEndCause, WaiverKind } from '@plimsoll/model';

interface KindWords {
  readonly words: string;
  readonly meaning: string;
  /** For the button. */
  readonly toDo: string;
}

/** The kinds of waivers, in the order in which they are offered. */
export const waiverKindWords: Readonly<Record<WaiverKind, KindWords>> = {
  risk_accepted: {
    words: 'Risk accepted',
    meaning: 'The risk is known and accepted until a date.',
    toDo: 'Accept the risk',
  },
  mitigated: {
    words: 'Mitigated',
    meaning: 'Something else, such as a firewall, prevents the attack.',
    toDo: 'Waive as mitigated',
  },
  false_positive: {
    words: 'False positive',
    meaning: 'The host is not affected although its packages are.',
    toDo: 'Waive as false positive',
  },
  snoozed_until_fix: {
    words: 'Snoozed until a fix exists',
    meaning:
      'Covers only what has no fix, and ends when a fix of any of it appears. Refused if there is one already.',
    toDo: 'Snooze until a fix exists',
  },
};

/** The kinds in their order. */
export const waiverKindOrder = Object.keys(waiverKindWords) as readonly WaiverKind[]; // its own keys

/** How a waiver ended. */
export const waiverEndWords: Readonly<Record<WaiverEndCause, string>> = {
  user: 'ended by hand',
  expired: 'ran out',
  fix_available: 'ended: a fix appeared',
};
