import type { HostComparison } from '@plimsoll/contract';
import type { HostExposure } from '@plimsoll/model';
import { coverageWords, dueWords, exposureWords, repositoryWords, statusWords } from '@plimsoll/words';

/** What limits a comparison, in a sentence. */
export const limitWords: Readonly<Record<HostComparison['limits'][number], string>> = {
  no_report_a: 'A has no report yet: only what is known of B is shown.',
  no_report_b: 'B has no report yet: only what is known of A is shown.',
  other_family:
    'The hosts have different package managers. Packages are compared by name; their versions have no common order, and the same software often has another name.',
  other_distribution:
    'The hosts have different distributions. Fixes are backported, so the higher version need not be the safer one: compare the findings.',
  other_release:
    'The hosts have different releases of a distribution, so nearly all versions differ. Compare the findings.',
  other_architecture:
    'The hosts have different architectures. Packages of the own architecture of each are compared with each other.',
  reports_apart: 'The reports are more than a day apart: what changed since the older one is not known.',
  findings_unknown_a: 'Not all findings of A are known. What is “only on B” may be on A, too.',
  findings_unknown_b: 'Not all findings of B are known. What is “only on A” may be on B, too.',
};

/** Facts in words; other versions of the service may send others. */
const factWords: Readonly<Record<string, string>> = {
  operating_system: 'Operating system',
  release: 'Release',
  architecture: 'Architecture',
  virtualization: 'Virtualization',
  running_kernel: 'Running kernel',
  latest_installed_kernel: 'Latest installed kernel',
  reboot: 'Reboot',
  restarts: 'Restarts of services',
  live_patches: 'Live patches',
  subscription: 'Subscription',
  module_streams: 'Module streams',
  repositories: 'Repositories',
  coverage: 'Coverage by advisories',
  status: 'Status',
  exposure: 'Reachable from the internet',
  tags: 'Tags',
};

/** The name of a fact. */
export function factInWords(fact: string): string {
  return factWords[fact] ?? fact;
}

/** The words of facts whose values are codes of the API. */
const valueWords: Readonly<Record<string, Readonly<Record<string, { readonly words: string }>>>> = {
  reboot: dueWords,
  restarts: dueWords,
  repositories: repositoryWords,
  coverage: coverageWords,
  status: statusWords,
};

/** The value of a fact in words; null: not known. */
export function factValueInWords(fact: string, value: string | null): string | null {
  if (value === null) return null;
  if (fact === 'exposure') return exposureWords[value as HostExposure] ?? value;
  return valueWords[fact]?.[value]?.words ?? value;
}
