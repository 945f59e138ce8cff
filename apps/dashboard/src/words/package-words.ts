import type { Word } from './host-words.ts';

/** Whether advisories can speak for a package. */
export const verdictWords: Readonly<Record<'comparable' | 'excluded' | 'unknown', Word>> = {
  comparable: { words: 'Judged', tone: 'good', meaning: 'Advisories are compared with it.' },
  excluded: { words: 'By another', tone: 'neutral', meaning: 'Another package speaks for it.' },
  unknown: { words: 'No verdict', tone: 'moderate', meaning: 'Nothing can be said of it.' },
};

const reasons: Readonly<Record<string, string>> = {
  not_a_package: 'A signing key, no package.',
  kernel_companion: 'Part of a kernel, whose image is judged.',
  kernel_metapackage: 'Only brings a kernel in, whose image is judged.',
  not_the_distributions: "Not the distribution's own package: its advisories do not speak of it.",
  backport: 'A backport: advisories of the release do not speak of it.',
  other_release: 'Built for another release.',
  other_line: 'Of another line of builds than advisories speak of.',
  stream_unknown: 'Of a module, and the host does not say which stream.',
  unparseable_version: 'Its version cannot be compared.',
  unsupported_release: 'There are no advisories for this release.',
};

/** Why a package has the verdict it has; codes without words are shown as they are. */
export function verdictReason(code: string): string {
  return reasons[code] ?? code.replaceAll('_', ' ');
}

const notes: Readonly<Record<string, string>> = {
  source_compared: 'Its source package was compared',
  kernel_source_mapped: "The kernel's unsigned source was compared",
  origin_not_stated: 'Taken as the distribution’s own',
  running_kernel_replaced: 'Another build of the kernel runs than is installed',
  running_kernel_removed: 'The kernel that runs is not installed any more',
  running_version_not_stated: 'The host does not say which version of the kernel runs',
  kernels_not_running: 'Installed kernels that do not run',
  erratum_folded: 'Also covered by',
  other_build_passed_over: 'Passed over: of another build or module stream',
  foreign_package_passed_over: "Passed over: not the distribution's",
  candidate_source_assumed: 'The source of the update was assumed',
  candidate_not_comparable: 'The update cannot be compared',
};

/** What a note of the evidence is about. */
export function noteWords(code: string): string {
  return notes[code] ?? code.replaceAll('_', ' ');
}

const reboots: Readonly<Record<string, string>> = {
  container: 'A container runs the kernel of its host',
  newer_kernel_installed: 'A newer kernel is installed',
  running_kernel_replaced: 'The running kernel was replaced',
  reboot_required_flag: 'The system says so',
  already_needed: 'It is due already',
  kernel_upgraded: 'A new kernel comes with it',
  core_package_upgraded: 'A package comes with it that everything uses',
};

/** Why a reboot is due, or would be. */
export function rebootReason(code: string): string {
  return reboots[code] ?? code.replaceAll('_', ' ');
}
