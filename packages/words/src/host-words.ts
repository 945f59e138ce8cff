import type {
  Coverage,
  DueState,
  Gap,
  HostStatus,
  OnboardingMode,
  OverallAction,
  PatchRhythmState,
  RepositoriesState,
  UpdatesState,
} from '@plimsoll/model';
import type { Word } from './word.ts';

/** Recommended actions, most urgent first. */
export const actionWords: Readonly<Record<OverallAction, Word>> = {
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
    meaning: 'A published fix does not reach the host, or one of its repositories fails or is outdated.',
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

/**
 * `actionWords` of a host: a repository that fails is to be repaired, and nothing to do is clear only if everything is
 * known.
 */
export function actionOf(host: {
  readonly overall_action: OverallAction;
  readonly gaps: readonly Gap[];
}): Word {
  const word = actionWords[host.overall_action];
  if (host.overall_action === 'unblock' && host.gaps.includes('repository_failing'))
    return { ...word, words: 'Repair repository' };
  if (host.overall_action !== 'none') return word;
  return host.gaps.length === 0
    ? { ...word, words: 'Clear' }
    : {
        words: 'Clear as far as known',
        tone: 'neutral',
        meaning: `${word.meaning} Not everything is known.`,
      };
}

/** How recent the last report of a host is. */
export const statusWords: Readonly<Record<HostStatus, Word>> = {
  active: { words: 'Active', tone: 'good', meaning: 'Its last report is recent enough.' },
  new: { words: 'New', tone: 'neutral', meaning: 'No report processed yet.' },
  stale: {
    words: 'Stale',
    tone: 'important',
    meaning: 'No report for three reporting intervals; of manual hosts, for the days that are set.',
  },
  unreachable: { words: 'Unreachable', tone: 'critical', meaning: 'The last three pulls failed.' },
};

/** `statusWords` of a host, with its own time. */
export function statusOf(host: { readonly status: HostStatus; readonly stale_after_seconds: number }): Word {
  const word = statusWords[host.status];
  const hours = Math.round(host.stale_after_seconds / 3600);
  const time = hours < 72 ? `${hours} hours` : `${Math.round(hours / 24)} days`;
  if (host.status === 'stale') return { ...word, meaning: `No report for more than ${time}.` };
  return host.status === 'active' ? { ...word, meaning: `Its last report is at most ${time} old.` } : word;
}

/** How reliable zero findings are. */
export const coverageWords: Readonly<Record<Coverage, Word>> = {
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
export const modeWords: Readonly<Record<OnboardingMode, string>> = {
  agent: 'Agent',
  ssh: 'SSH',
  manual: 'Manual',
};

/** `modeWords` as sentences about a report. */
export const modeSentences: Readonly<Record<OnboardingMode, string>> = {
  agent: 'Sent by its agent.',
  ssh: 'Pulled over SSH.',
  manual: 'Uploaded manually.',
};

/** Whether a reboot or restart is due. */
export const dueWords: Readonly<Record<DueState, Word>> = {
  needed: { words: 'Needed', tone: 'important', meaning: 'The host reports that it is needed.' },
  not_needed: { words: 'Not needed', tone: 'good', meaning: 'The host reports that it is not needed.' },
  unknown: { words: 'Not known', tone: 'neutral', meaning: 'The host did not report it.' },
};

/** `dueWords` of a host: what an old report says does not reassure. */
export function dueAsOf(state: DueState, { gaps }: { readonly gaps: readonly Gap[] }): Word {
  return state === 'not_needed' && gaps.includes('report_outdated')
    ? {
        words: 'Not needed then',
        tone: 'neutral',
        meaning: 'The last report is old: it may be needed since.',
      }
    : dueWords[state];
}

/** Whether the available updates are known. */
export const updatesWords: Readonly<Record<UpdatesState, Word>> = {
  known: { words: 'Known', tone: 'good', meaning: "The host's package lists are fresh." },
  stale: {
    words: 'Outdated',
    tone: 'moderate',
    meaning: "The host's package lists are older than seven days.",
  },
  unknown: { words: 'Not known', tone: 'neutral', meaning: 'The host could not read its package lists.' },
};

/** Whether a host's copy of a repository is as new as the newest known one. */
export const repositoryWords: Readonly<Record<RepositoriesState, Word>> = {
  current: { words: 'Current', tone: 'good', meaning: 'No newer copy is known, within the allowed days.' },
  outdated: {
    words: 'Outdated',
    tone: 'important',
    meaning: 'A newer copy is known, or the copy is past its own Valid-Until.',
  },
  unknown: { words: 'Not known', tone: 'neutral', meaning: 'Whether a newer copy exists is not known.' },
};

/** `repositoryWords` of a host: what an old report says of a copy does not reassure. */
export function repositoryAsOf(state: RepositoriesState, { gaps }: { readonly gaps: readonly Gap[] }): Word {
  return state === 'current' && gaps.includes('report_outdated')
    ? {
        words: 'Current then',
        tone: 'neutral',
        meaning: 'The last report is old: the copy on the host now is not known.',
      }
    : repositoryWords[state];
}

/** Whether a host installs updates as often as it used to. */
export const rhythmStateWords: Readonly<Record<PatchRhythmState, string>> = {
  regular: 'As usual',
  stopped: 'Stopped',
  nothing_to_install: 'Longer ago than usual, but no update waits',
  unknown: 'Not known',
};

/** The actions, most urgent first. */
export const actionOrder = Object.keys(actionWords) as readonly OverallAction[]; // its keys are the actions
