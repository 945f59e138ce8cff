import type { HostActionName } from '@plimsoll/contract';
import { groupedNumber } from '../../../design/number-words.ts';
import type { SelectedHost } from '../table/selected-host.ts';

/** An action on many hosts. */
export interface BulkAction {
  readonly kind: HostActionName;
  /** Label of the button. */
  readonly words: string;
  /** Past participle for the result: "approved". */
  readonly done: string;
  /** Why some selected hosts are left out. */
  readonly leftOut: string;
  /** The consequences, shown before the confirmation. */
  readonly meaning: string;
  /** Whether the action applies to a host. */
  readonly concerns: (host: SelectedHost) => boolean;
  /** Whether it takes tags. */
  readonly takesTags?: boolean;
  /** Whether it takes an exposure. */
  readonly takesExposure?: boolean;
  readonly isDangerous?: boolean;
  /** Whether hosts cannot report after it, so that what was installed on them should be removed. */
  readonly endsReports?: boolean;
}

/** Up to this number of hosts the dashboard waits for the pulls; above it they are only queued. */
export const awaitedPulls = 50;

const isInService = ({ approval_status }: SelectedHost) => approval_status !== 'retired';
const isPulled = ({ onboarding_mode, approval_status }: SelectedHost) =>
  onboarding_mode === 'ssh' && approval_status === 'approved';

/** The hosts to look at before an action: to approve, those with the machine id of another host. */
export function doubtfulFor<T extends Pick<SelectedHost, 'machine_id_conflict_with'>>(
  { kind }: Pick<BulkAction, 'kind'>,
  hosts: readonly T[],
): readonly T[] {
  if (kind !== 'approve') return [];
  return hosts.filter(({ machine_id_conflict_with: other }) => other !== null);
}

/**
 * Selected hosts that are not in the list behind the question; null: none. `isKnown`: whether it is known that they are not,
 * or only that they were selected with other filters.
 */
export function elsewhereInWords(elsewhere: number, selected: number, isKnown: boolean): string | null {
  if (elsewhere === 0) return null;
  if (!isKnown)
    return `${groupedNumber(elsewhere)} of ${groupedNumber(selected)} were selected with other filters.`;
  if (elsewhere >= selected) return 'None of them is in the list that you see.';
  return `${groupedNumber(elsewhere)} of ${groupedNumber(selected)} are not in the list that you see.`;
}

/** The actions on many hosts, in display order. */
export const bulkActions: readonly BulkAction[] = [
  {
    kind: 'approve',
    words: 'Approve',
    done: 'approved',
    leftOut: 'already approved',
    meaning: 'Approved hosts are included in all totals.',
    concerns: ({ approval_status }) => approval_status === 'pending',
  },
  {
    kind: 'add_tags',
    words: 'Tag',
    done: 'tagged',
    leftOut: '',
    meaning: 'Hosts can be filtered by tag. Separate several tags with commas.',
    concerns: () => true,
    takesTags: true,
  },
  {
    kind: 'remove_tags',
    words: 'Remove tag',
    done: 'changed',
    leftOut: 'without any tag',
    meaning: 'Hosts without this tag are not changed. Separate several tags with commas.',
    concerns: ({ tags }) => tags.length > 0,
    takesTags: true,
  },
  {
    kind: 'set_exposure',
    words: 'Set exposure',
    done: 'changed',
    leftOut: '',
    meaning:
      'Whether the hosts can be reached from the internet. What is set by hand takes precedence over rules for tags and over registration tokens.',
    concerns: () => true,
    takesExposure: true,
  },
  {
    kind: 'pull_now',
    words: 'Pull now',
    done: 'pulled or queued',
    leftOut: 'not pulled over SSH, or not approved',
    meaning: `With ${awaitedPulls} hosts or fewer, results are shown here.`,
    concerns: isPulled,
  },
  {
    kind: 'pause_pulls',
    words: 'Pause pulls',
    done: 'paused',
    leftOut: 'not pulled over SSH, or not approved',
    meaning: 'The schedule stops until it is resumed. Pull now still works.',
    concerns: isPulled,
  },
  {
    kind: 'resume_pulls',
    words: 'Resume pulls',
    done: 'resumed',
    leftOut: 'not pulled over SSH, or not approved',
    meaning: 'Hosts whose pulls are paused are pulled again within minutes.',
    concerns: isPulled,
  },
  {
    kind: 'retire',
    words: 'Retire',
    done: 'retired',
    leftOut: 'already retired',
    meaning:
      'Retired hosts leave every list and total. Their tokens and pulls end, and their reports are refused. Snapshots, findings and history stay. They can be reinstated; an agent then needs a new registration token.',
    concerns: isInService,
    endsReports: true,
  },
  {
    kind: 'reinstate',
    words: 'Reinstate',
    done: 'reinstated',
    leftOut: 'not retired',
    meaning:
      'The hosts are included in all lists and totals again. SSH hosts are pulled within minutes; an agent needs a new registration token for its host.',
    concerns: (host) => !isInService(host),
  },
  {
    kind: 'delete',
    words: 'Delete',
    done: 'deleted',
    leftOut: '',
    meaning:
      'This also deletes their reports, snapshots, findings, pulls and tokens. This cannot be undone. To keep the history, retire them instead.',
    concerns: () => true,
    isDangerous: true,
    endsReports: true,
  },
];
