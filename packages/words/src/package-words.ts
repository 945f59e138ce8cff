import type { BrokenState, RebootSource, Verdict } from '@plimsoll/model';
import type { Word } from './word.ts';

/** Whether a package can be checked against advisories. */
export const verdictWords: Readonly<Record<Verdict['kind'], Word>> = {
  comparable: { words: 'Checked', tone: 'good', meaning: 'Compared with the advisories.' },
  excluded: { words: 'Covered', tone: 'neutral', meaning: 'Another package is checked in its place.' },
  unknown: { words: 'Not checked', tone: 'moderate', meaning: 'It cannot be compared with advisories.' },
};

const reasons: Readonly<Record<string, string>> = {
  not_a_package: 'A signing key, not a package.',
  kernel_companion: 'Covered by the kernel image, which is checked.',
  kernel_metapackage: 'Only depends on a kernel. Covered by the kernel image, which is checked.',
  not_the_distributions: 'Not a package of the distribution: its advisories do not cover it.',
  no_repository: 'No repository of the host has it: it was installed by hand, so no advisory covers it.',
  backport: 'A backport: the advisories for the release do not cover it.',
  other_release: 'Built for another release.',
  other_line: 'From a build line of its own (FIPS, Ksplice, EPEL) for which no advisory is open.',
  stream_unknown: 'From a module whose stream the host does not report.',
  unfinished: 'Its installation did not end, and the version that was there before is not known.',
  unparseable_version: 'Its version cannot be compared.',
  unsupported_release: 'No advisories for this release.',
};

/** Why a package has its verdict; an unknown code is shown as it is. */
export function verdictReason(code: string): string {
  return reasons[code] ?? code.replaceAll('_', ' ');
}

const notes: Readonly<Record<string, string>> = {
  source_compared: 'Its source package was compared',
  kernel_source_mapped: "The kernel's unsigned source was compared",
  origin_not_stated: 'Assumed to be a package of the distribution',
  stream_from_host: 'Its module stream is the one that the host has enabled',
  line_followed: 'Compared with the fixes of the release that the host follows',
  running_kernel_replaced: 'The running kernel is another build than the installed one',
  running_kernel_removed: 'The running kernel is no longer installed',
  cves_fixed_before: 'Some of its CVEs are fixed already; the severity is that of the open ones',
  livepatched: 'Patched in memory by a live patch',
  moves_with_kernel: 'Moves with the kernel, not counted',
  running_version_not_stated: 'The host does not report the version of the running kernel',
  kernels_not_running: 'Installed kernels that are not running',
  source_statement: 'An advisory names its source package',
  upstream_statement:
    'An advisory of the distribution that this one is rebuilt from names its source package',
  overridden: 'Known error of the feed, overridden',
  erratum_folded: 'Also covered by',
  other_build_passed_over: 'Skipped: other build or module stream',
  foreign_package_passed_over: 'Skipped: not a package of the distribution',
  unfinished: 'The installation of the fixed version did not end: what was configured before is compared',
  candidate_source_assumed: 'The source of the update was assumed',
  candidate_not_comparable: 'The update cannot be compared',
};

/** Words of a note in the evidence; an unknown code is shown as it is. */
export function noteWords(code: string): string {
  return notes[code] ?? code.replaceAll('_', ' ');
}

/** What became of an installation that did not end. */
export const brokenWords: Readonly<Record<BrokenState, string>> = {
  unpacked: 'unpacked, not configured',
  half_configured: 'its configuration failed or was cut off',
  half_installed: 'installed in part',
  triggers: 'other packages still have to act on it',
  duplicate: 'a newer version is installed as well',
};

/** Where a reason for a reboot comes from. */
export const rebootSourceWords: Readonly<Record<RebootSource | 'kernel' | 'core_package', string>> = {
  flag: 'reboot-required file',
  needrestart: 'needrestart',
  needs_restarting: 'needs-restarting',
  kernel: 'kernels compared',
  core_package: 'time of installation',
};

const reboots: Readonly<Record<string, string>> = {
  container: 'A container uses the kernel of its host',
  newer_kernel_installed: 'A newer kernel is installed',
  running_kernel_replaced: 'The running kernel was replaced',
  core_package_updated: 'A package that most programs use was updated after the host booted',
  reboot_required_flag: 'The system reports that a reboot is required',
  reboot_required_by_tool: 'A tool of the host says that a reboot is required',
  already_needed: 'A reboot is already needed',
  kernel_upgraded: 'The upgrade includes a new kernel',
  new_system: 'The upgrade makes a new system, which only a boot puts in place',
  core_package_upgraded: 'The upgrade includes a package that most programs use',
};

/** Why a reboot is needed now or after an upgrade; an unknown code is shown as it is. */
export function rebootReason(code: string): string {
  return reboots[code] ?? code.replaceAll('_', ' ');
}
