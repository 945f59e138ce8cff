import type { Host } from '@plimsoll/contract';
import type { Word } from './host-words.ts';

/** A reason why the data of a host may be incomplete. */
export type Gap = Host['gaps'][number];

/** Words of each gap; the gaps that hide most come first. */
export const gapWords: Readonly<Record<Gap, Word>> = {
  no_report: { words: 'No report', tone: 'important', meaning: 'No report processed yet: nothing is known.' },
  report_outdated: {
    words: 'Old report',
    tone: 'important',
    meaning:
      'The last report is old, or the last three pulls failed: everything shown is as of the last report.',
  },
  no_feed: {
    words: 'No feed',
    tone: 'important',
    meaning: 'No advisory feed covers this release: findings cannot be known.',
  },
  feed_never_synced: {
    words: 'Feed never synced',
    tone: 'important',
    meaning: 'The advisory feed for this release has no data yet: sync or import it.',
  },
  feed_outdated: {
    words: 'Outdated feed',
    tone: 'important',
    meaning: 'Advisories published after the last update of the feed are missing.',
  },
  release_eol: {
    words: 'End of life',
    tone: 'important',
    meaning: 'The release is out of standard support: vendors may not list its new vulnerabilities.',
  },
  feed_lists_fixes_only: {
    words: 'Fixes only',
    tone: 'neutral',
    meaning: 'The feed lists only vulnerabilities that have a fix: those without one are not known.',
  },
  package_lists_unknown: {
    words: 'Updates not known',
    tone: 'moderate',
    meaning: 'The host did not report which updates are offered, or how old its package lists are.',
  },
  package_lists_outdated: {
    words: 'Old package lists',
    tone: 'moderate',
    meaning: 'The package lists of the host were older than seven days when it reported.',
  },
  repository_outdated: {
    words: 'Outdated repository',
    tone: 'moderate',
    meaning: 'A repository of the host is older than the newest known copy: updates are missing from it.',
  },
  repositories_unknown: {
    words: 'Repositories not known',
    tone: 'neutral',
    meaning: 'Whether the repositories of the host are current is not known.',
  },
  packages_unchecked: {
    words: 'Unchecked packages',
    tone: 'neutral',
    meaning: 'Some installed packages cannot be compared with advisories.',
  },
  reboot_unknown: {
    words: 'Reboot not known',
    tone: 'neutral',
    meaning: 'The host did not report whether it needs a reboot.',
  },
  restart_unknown: {
    words: 'Restarts not known',
    tone: 'neutral',
    meaning: 'The host did not report whether services run outdated code.',
  },
};

/** The gaps; those that hide most come first. */
export const gapOrder = Object.keys(gapWords) as readonly Gap[]; // its keys are the gaps
