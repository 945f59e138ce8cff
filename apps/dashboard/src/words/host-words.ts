import type { Host } from '@plimsoll/contract';
import type { Tone } from '../design/badge.tsx';

/** How a value of the contract is called, how urgent it is, and what it means. */
export interface Word {
  readonly words: string;
  readonly tone: Tone;
  readonly meaning: string;
}

/** The one thing to do, most urgent first. */
export const actionWords: Readonly<Record<Host['overall_action'], Word>> = {
  update_urgent: {
    words: 'Update now',
    tone: 'critical',
    meaning: 'A critical or known-exploited vulnerability has a fix that can be installed.',
  },
  reboot_urgent: {
    words: 'Reboot now',
    tone: 'critical',
    meaning: 'The fix of a critical or known-exploited vulnerability is installed, but an older kernel runs.',
  },
  update_security: {
    words: 'Security update',
    tone: 'important',
    meaning: 'A security fix can be installed.',
  },
  reboot: { words: 'Reboot', tone: 'moderate', meaning: 'A reboot is due.' },
  restart: { words: 'Restart services', tone: 'moderate', meaning: 'Services run outdated code.' },
  update: { words: 'Update', tone: 'low', meaning: 'Updates are waiting, none of them for security.' },
  unknown: {
    words: 'Not known',
    tone: 'neutral',
    meaning: 'Nothing was found, but not everything could be judged.',
  },
  none: { words: 'Nothing to do', tone: 'good', meaning: 'Everything is known, and nothing is due.' },
};

/** How fresh what we know of a host is. */
export const statusWords: Readonly<Record<Host['status'], Word>> = {
  active: { words: 'Active', tone: 'good', meaning: 'Reports as often as it should.' },
  new: { words: 'New', tone: 'neutral', meaning: 'Has sent no report yet.' },
  stale: { words: 'Stale', tone: 'important', meaning: 'Has sent no report for three of its intervals.' },
  unreachable: { words: 'Unreachable', tone: 'critical', meaning: 'The last three pulls failed.' },
};

/** How far zero findings can be believed. */
export const coverageWords: Readonly<Record<Host['coverage'], Word>> = {
  full: { words: 'Full', tone: 'good', meaning: 'Every installed package has a verdict.' },
  partial: {
    words: 'Partial',
    tone: 'moderate',
    meaning: 'Some installed packages have no verdict: nobody publishes advisories for them here.',
  },
  stale: { words: 'Outdated feed', tone: 'important', meaning: 'The advisories are older than three days.' },
  none: {
    words: 'No advisories',
    tone: 'important',
    meaning: 'There is no feed for this release, or it was never read.',
  },
  eol: {
    words: 'End of life',
    tone: 'critical',
    meaning: 'The release is out of support: there may be far more than is known.',
  },
};

/** How a host's reports come in. */
export const modeWords: Readonly<Record<Host['onboarding_mode'], string>> = {
  agent: 'Agent',
  ssh: 'SSH',
  manual: 'By hand',
};

/** The same in a sentence about a host. */
export const modeSentences: Readonly<Record<Host['onboarding_mode'], string>> = {
  agent: 'Sent by its agent.',
  ssh: 'Pulled over SSH.',
  manual: 'Brought by hand.',
};

/** Whether something is due. */
export const dueWords: Readonly<Record<Host['reboot_state'], Word>> = {
  needed: { words: 'Needed', tone: 'important', meaning: 'It is due.' },
  not_needed: { words: 'Not needed', tone: 'good', meaning: 'It is not due.' },
  unknown: { words: 'Not known', tone: 'neutral', meaning: 'The host could not say.' },
};

/** Whether waiting updates are known. */
export const updatesWords: Readonly<Record<Host['updates_state'], Word>> = {
  known: { words: 'Known', tone: 'good', meaning: "The host's package lists are fresh." },
  stale: {
    words: 'Outdated',
    tone: 'moderate',
    meaning: "The host's package lists are older than seven days.",
  },
  unknown: { words: 'Not known', tone: 'neutral', meaning: 'The host could not read its package lists.' },
};
