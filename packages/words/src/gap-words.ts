import type { Gap } from '@plimsoll/model';
import type { Word } from './word.ts';

/** Words of each gap, with a phrase for the middle of a sentence; the gaps that hide most come first. */
export const gapWords: Readonly<Record<Gap, Word & { readonly phrase: string }>> = {
  no_report: {
    words: 'No report',
    tone: 'important',
    phrase: 'no report processed yet',
    meaning: 'No report processed yet: nothing is known.',
  },
  report_outdated: {
    words: 'Old report',
    tone: 'important',
    phrase: 'the last report is old',
    meaning:
      'The last report is old, or the last three pulls failed: everything shown is as of the last report.',
  },
  no_feed: {
    words: 'No feed',
    tone: 'important',
    phrase: 'no advisory feed covers the release',
    meaning: 'No advisory feed covers this release: findings cannot be known.',
  },
  feed_never_synced: {
    words: 'Feed never synced',
    tone: 'important',
    phrase: 'the advisory feed for the release has no data yet',
    meaning: 'The advisory feed for this release has no data yet: sync or import it.',
  },
  feed_outdated: {
    words: 'Outdated feed',
    tone: 'important',
    phrase: 'advisory data is too old',
    meaning: 'Advisories published after the last update of the feed are missing.',
  },
  release_eol: {
    words: 'End of life',
    tone: 'important',
    phrase: 'the release is out of standard support',
    meaning: 'The release is out of standard support: vendors may not list its new vulnerabilities.',
  },
  feed_lists_fixes_only: {
    words: 'Fixes only',
    tone: 'neutral',
    phrase: 'its feed lists only vulnerabilities that have a fix',
    meaning: 'The feed lists only vulnerabilities that have a fix: those without one are not known.',
  },
  package_lists_unknown: {
    words: 'Updates not known',
    tone: 'moderate',
    phrase: 'the host did not report whether its package lists are current',
    meaning: 'The host did not report which updates are offered, or how old its package lists are.',
  },
  package_lists_outdated: {
    words: 'Old package lists',
    tone: 'moderate',
    phrase: 'the package lists of the host were older than seven days',
    meaning: 'The package lists of the host were older than seven days when it reported.',
  },
  repository_failing: {
    words: 'Repository fails',
    tone: 'important',
    phrase: 'a repository of the host cannot be read or verified',
    meaning: 'A repository of the host cannot be read or verified: updates from it do not arrive.',
  },
  repository_outdated: {
    words: 'Outdated repository',
    tone: 'moderate',
    phrase: 'a repository of the host is outdated',
    meaning: 'A repository of the host is older than the newest known copy: updates are missing from it.',
  },
  repositories_unknown: {
    words: 'Repositories not known',
    tone: 'neutral',
    phrase: 'whether its repositories are current is not known',
    meaning: 'Whether the repositories of the host are current is not known.',
  },
  packages_unchecked: {
    words: 'Unchecked packages',
    tone: 'neutral',
    phrase: 'some installed packages cannot be checked',
    meaning: 'Some installed packages cannot be compared with advisories.',
  },
  reboot_unknown: {
    words: 'Reboot not known',
    tone: 'neutral',
    phrase: 'the host did not report whether it needs a reboot',
    meaning: 'The host did not report whether it needs a reboot.',
  },
  restart_unknown: {
    words: 'Restarts not known',
    tone: 'neutral',
    phrase: 'the host did not report whether services need a restart',
    meaning: 'The host did not report whether services run outdated code.',
  },
};

/** The gaps; those that hide most come first. */
export const gapOrder = Object.keys(gapWords) as readonly Gap[]; // its keys are the gaps
