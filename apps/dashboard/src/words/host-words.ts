import type { Host } from '@plimsoll/contract';
import type { Tone } from '../design/badge.tsx';

/** Label of a contract value, its urgency, and a sentence that explains it. */
export interface Word {
  readonly words: string;
  readonly tone: Tone;
  readonly meaning: string;
}

/** Recommended actions, most urgent first. */
export const actionWords: Readonly<Record<Host['overall_action'], Word>> = {
  update_urgent: {
    words: 'Update now',
    tone: 'critical',
    meaning: 'A critical or known exploited vulnerability has a fix.',
  },
  unblock_urgent: {
    words: 'Unblock fix now',
    tone: 'critical',
    meaning:
      "The fix of a critical or known-exploited vulnerability is published, but the host's repositories do not offer it or the package is held.",
  },
  upgrade_release_urgent: {
    words: 'Upgrade release now',
    tone: 'critical',
    meaning: 'Support of the release has ended, and a critical or known-exploited vulnerability is open.',
  },
  reboot_urgent: {
    words: 'Reboot now',
    tone: 'critical',
    meaning: 'The fix of a critical or known-exploited vulnerability is installed, but an older kernel runs.',
  },
  mitigate_urgent: {
    words: 'Mitigate now',
    tone: 'critical',
    meaning: 'A known-exploited or critical vulnerability has no fix for this host.',
  },
  update_security: {
    words: 'Security update',
    tone: 'important',
    meaning: 'A security fix is available.',
  },
  unblock: {
    words: 'Unblock fix',
    tone: 'important',
    meaning: 'A published fix does not reach the host, or one of its repositories is outdated.',
  },
  upgrade_release: {
    words: 'Upgrade release',
    tone: 'important',
    meaning: 'Support of the release has ended: new vulnerabilities get no fix.',
  },
  reboot: { words: 'Reboot', tone: 'moderate', meaning: 'A reboot is needed.' },
  restart: { words: 'Restart services', tone: 'moderate', meaning: 'Services run outdated code.' },
  subscribe: {
    words: 'Subscribe',
    tone: 'moderate',
    meaning: 'A fix needs a subscription, such as Ubuntu Pro, that the host does not have.',
  },
  update: { words: 'Update', tone: 'low', meaning: 'Updates are available.' },
  unknown: {
    words: 'Not known',
    tone: 'neutral',
    meaning: 'Cannot be assessed: information is missing or outdated.',
  },
  watch: {
    words: 'Watch',
    tone: 'neutral',
    meaning: 'Findings are open, but nothing can be done about them on this host now.',
  },
  none: {
    words: 'Nothing to do',
    tone: 'good',
    meaning: 'No updates, and no open findings that count: negligible and waived ones do not.',
  },
};

/** How recent the last report of a host is. */
export const statusWords: Readonly<Record<Host['status'], Word>> = {
  active: { words: 'Active', tone: 'good', meaning: 'Its last report is recent enough.' },
  new: { words: 'New', tone: 'neutral', meaning: 'No report processed yet.' },
  stale: { words: 'Stale', tone: 'important', meaning: 'No report for three reporting intervals.' },
  unreachable: { words: 'Unreachable', tone: 'critical', meaning: 'The last three pulls failed.' },
};

/** How reliable zero findings are. */
export const coverageWords: Readonly<Record<Host['coverage'], Word>> = {
  full: { words: 'Full', tone: 'good', meaning: 'Every installed package can be checked.' },
  partial: {
    words: 'Partial',
    tone: 'moderate',
    meaning: 'Some installed packages cannot be checked: no feed covers them.',
  },
  stale: {
    words: 'Outdated feed',
    tone: 'important',
    meaning: 'The advisory data is older than the limit of its feed.',
  },
  none: {
    words: 'No advisories',
    tone: 'important',
    meaning: 'No feed for this release, or its feed was never synced.',
  },
  eol: {
    words: 'End of life',
    tone: 'critical',
    meaning: 'The release is out of standard support. There may be vulnerabilities that no feed lists.',
  },
};

/** How the reports of a host arrive. */
export const modeWords: Readonly<Record<Host['onboarding_mode'], string>> = {
  agent: 'Agent',
  ssh: 'SSH',
  manual: 'Manual',
};

/** `modeWords` as sentences about a report. */
export const modeSentences: Readonly<Record<Host['onboarding_mode'], string>> = {
  agent: 'Sent by its agent.',
  ssh: 'Pulled over SSH.',
  manual: 'Uploaded manually.',
};

/** Whether a reboot or restart is due. */
export const dueWords: Readonly<Record<Host['reboot_state'], Word>> = {
  needed: { words: 'Needed', tone: 'important', meaning: 'The host reports that it is needed.' },
  not_needed: { words: 'Not needed', tone: 'good', meaning: 'The host reports that it is not needed.' },
  unknown: { words: 'Not known', tone: 'neutral', meaning: 'The host did not report it.' },
};

/** `dueWords` of a host: what an old report says does not reassure. */
export function dueAsOf(state: Host['reboot_state'], { gaps }: Pick<Host, 'gaps'>): Word {
  return state === 'not_needed' && gaps.includes('report_outdated')
    ? {
        words: 'Not needed then',
        tone: 'neutral',
        meaning: 'The last report is old: it may be needed since.',
      }
    : dueWords[state];
}

/** Whether the available updates are known. */
export const updatesWords: Readonly<Record<Host['updates_state'], Word>> = {
  known: { words: 'Known', tone: 'good', meaning: "The host's package lists are fresh." },
  stale: {
    words: 'Outdated',
    tone: 'moderate',
    meaning: "The host's package lists are older than seven days.",
  },
  unknown: { words: 'Not known', tone: 'neutral', meaning: 'The host could not read its package lists.' },
};

/** The actions, most urgent first. */
export const actionOrder = Object.keys(actionWords) as readonly Host['overall_action'][]; // its keys are the actions
