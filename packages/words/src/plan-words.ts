import type {
  FewestMovesAnswer,
  notCoveredCodes,
  PlannedHost,
  PlanProgressHost,
  UpgradePlan,
} from '@plimsoll/contract';
import { fixWords } from './finding-words.ts';
import { gapWords } from './gap-words.ts';
import type { Word } from './word.ts';

/** Whether a host has a plan. */
export const planStateWords: Readonly<Record<PlannedHost['state'], Word>> = {
  planned: { words: 'Planned', tone: 'low', meaning: 'Something is upgraded or rebooted.' },
  nothing_to_do: {
    words: 'Nothing to install',
    tone: 'good',
    meaning: 'There is nothing that this plan could install, and the host needs no reboot, as of its report.',
  },
  not_plannable: {
    words: 'Cannot be planned',
    tone: 'important',
    meaning: 'What is to be done is not known, or the plan does not allow it.',
  },
};

/** How far a host of a saved plan is. */
export const progressWords: Readonly<Record<PlanProgressHost['state'], Word>> = {
  done: { words: 'Done', tone: 'good', meaning: 'Everything planned is installed and closed.' },
  open: { words: 'Still open', tone: 'important', meaning: 'A part of the plan is not done.' },
  not_known: {
    words: 'Not known',
    tone: 'moderate',
    meaning: 'All that can be seen is done. Whether the planned reboot happened is not known.',
  },
  not_reported: {
    words: 'Not reported since',
    tone: 'moderate',
    meaning: 'The host has not reported since the plan was made: its progress is not known.',
  },
  nothing_planned: {
    words: 'Nothing to install',
    tone: 'neutral',
    meaning: 'The plan changes nothing on it. Advisories may stay open.',
  },
  not_plannable: {
    words: 'Cannot be planned',
    tone: 'important',
    meaning:
      'What was to be done was not known when the plan was made, or the plan did not allow it: it changes nothing on the host.',
  },
};

/** What is in the way of the findings that no move closes. */
export const blockWords: Readonly<
  Record<FewestMovesAnswer['blocked'][number]['reason'], { readonly words: string }>
> = {
  ...fixWords,
  unsafe_name: { words: 'Name or version is not valid' },
  no_reboot: { words: 'Needs a reboot, which this plan does not allow' },
  not_plannable: { words: 'On hosts that cannot be planned' },
};

/** Why a host has no plan, or what its plan may miss. */
export const planNoteWords: Readonly<
  Record<PlannedHost['notes'][number]['code'], { readonly meaning: string }>
> = {
  ...gapWords,
  no_feed: { meaning: 'No advisory feed has data about this release: findings cannot be known.' },
  pending_approval: { meaning: 'The host is not approved.' },
  retired: { meaning: 'The host is retired.' },
  package_manager_unknown: { meaning: 'The package manager of the host is not known.' },
  unsafe_names: { meaning: 'Some offers are left out: their names or versions are not valid.' },
  image_based: {
    meaning:
      'The packages of this system come as one image: no package command changes them. The next image brings what its maker has built into it.',
  },
  no_playbook: { meaning: 'Ansible has no module for this system: the playbook leaves it out.' },
  reboot_not_allowed: { meaning: 'The host needs a reboot, which this plan does not allow.' },
  reboot_unknown: { meaning: 'Whether the host needs a reboot is not known.' },
};

/** Why scripts and playbooks leave a host out. */
export const notCoveredWords: Readonly<Record<(typeof notCoveredCodes)[number], string>> = {
  not_approved: 'The host is not approved, or was retired or deleted.',
  no_report: 'The host has not reported yet.',
  machine_id_missing:
    'The newest report has no valid machine id, by which a script could recognise the machine.',
  machine_id_shared:
    'Another host, approved or pending, has or claims the same machine id: which of them the machine is cannot be told.',
  machine_id_changed:
    'The newest report has another machine id than the host was added with, or than the plan has.',
};

/** Why a plan leaves an offer out. */
export const leftOutWords: Readonly<Record<UpgradePlan['left_out'][number]['reason'], string>> = {
  held: 'Pinned or excluded on the host.',
  phased: 'Its publisher offers it to other hosts first, and to this one later.',
  unsafe_name: 'Its name or version is none that a package manager would make.',
  downgrade: 'It is lower than the installed version.',
};
