import {
  actionWords,
  coverageWords,
  dueWords,
  exposureWords,
  familyWords,
  gapWords,
  modeWords,
  rhythmStateWords,
  severityOrder,
  severityWords,
  statusWords,
  updatesWords,
} from '@plimsoll/words';
import type { HostsSearch } from '../hosts-search.ts';

/** One filter of the list of hosts. */
export interface FilterSpec {
  readonly name: Exclude<keyof HostsSearch, 'sort' | 'q'>;
  readonly label: string;
  /** Its values with their labels; null for text. */
  readonly options: readonly (readonly [value: string, words: string])[] | null;
  /** Whether the bar beside the search shows it. */
  readonly quick?: boolean;
}

function optionsOf(words: Readonly<Record<string, { readonly words: string }>>) {
  return Object.entries(words).map(([value, word]) => [value, word.words] as const);
}

const severities = severityOrder.filter((severity) => severity !== 'none');
const severityOptions = severities.map((severity) => [severity, severityWords[severity].words] as const);
const yesOrNo = [
  ['true', 'Yes'],
  ['false', 'No'],
] as const;

/** All filters of the list of hosts, in display order. */
export const filterSpecs: readonly FilterSpec[] = [
  { name: 'overall_action', label: 'Action', options: optionsOf(actionWords), quick: true },
  {
    name: 'severity',
    label: 'Severity',
    options: severities.map((severity, place) => [
      severity,
      place === 0
        ? severityWords[severity].words
        : severity === 'unrated'
          ? 'Any severity'
          : `${severityWords[severity].words} or worse`,
    ]),
    quick: true,
  },
  { name: 'status', label: 'Status', options: optionsOf(statusWords), quick: true },
  {
    name: 'approval_status',
    label: 'Approval',
    options: [
      ['approved', 'Approved'],
      ['pending', 'Waiting for approval'],
    ],
    quick: true,
  },
  { name: 'known_exploited', label: 'Has known exploited findings', options: yesOrNo },
  { name: 'open_severity', label: 'Has findings rated', options: severityOptions },
  { name: 'finding_severity', label: 'Has findings with a fix rated', options: severityOptions },
  { name: 'has_findings', label: 'Has findings with a fix', options: yesOrNo },
  { name: 'unfixed', label: 'Has unfixed findings', options: yesOrNo },
  { name: 'machine_id_conflict', label: 'Has the machine id of another host', options: yesOrNo },
  { name: 'overdue', label: 'Has findings past their due date', options: yesOrNo },
  { name: 'exposure', label: 'Reachable from the internet', options: Object.entries(exposureWords) },
  { name: 'has_updates', label: 'Has updates', options: yesOrNo },
  { name: 'patch_rhythm', label: 'Installs updates', options: Object.entries(rhythmStateWords) },
  { name: 'reboot_state', label: 'Reboot', options: optionsOf(dueWords) },
  { name: 'restart_state', label: 'Service restarts', options: optionsOf(dueWords) },
  { name: 'updates_state', label: 'Package lists', options: optionsOf(updatesWords) },
  { name: 'gap', label: 'Not known', options: optionsOf(gapWords) },
  { name: 'overall_known', label: 'Everything is known', options: yesOrNo },
  { name: 'findings_known', label: 'All findings are known', options: yesOrNo },
  { name: 'updates_known', label: 'All updates are known', options: yesOrNo },
  {
    name: 'repositories_state',
    label: 'Repositories',
    options: [
      ['current', 'Current'],
      ['outdated', 'Outdated'],
      ['unknown', 'Not known'],
    ],
  },
  { name: 'coverage', label: 'Coverage', options: optionsOf(coverageWords) },
  { name: 'has_broken_packages', label: 'Unfinished installations', options: yesOrNo },
  { name: 'has_disagreements', label: 'Advisories and package manager disagree', options: yesOrNo },
  { name: 'onboarding_mode', label: 'Reporting method', options: Object.entries(modeWords) },
  {
    name: 'os_family',
    label: 'Package format',
    options: Object.entries(familyWords),
  },
  { name: 'os_name', label: 'System', options: null },
  { name: 'os_major', label: 'Major version', options: null },
  { name: 'tag', label: 'Tag', options: null },
  { name: 'retired', label: 'Retired', options: [['true', 'Only retired hosts']] },
];

/** Label of a filter's value. */
export function valueWords({ options }: FilterSpec, value: string): string {
  return options?.find(([known]) => known === value)?.[1] ?? value;
}
