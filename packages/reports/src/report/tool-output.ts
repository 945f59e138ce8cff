import type { ReportSection } from './report-section.ts';
import type { SectionNotes } from './section-rule.ts';

/** What one of the rpm family's package managers printed. */
export interface ToolOutput {
  readonly form: OutputForm;
  /** Without the line that names the tool. */
  readonly lines: readonly NumberedLine[];
}

/** A line, and where it stands in the report. */
export interface NumberedLine {
  readonly text: string;
  readonly number: number;
}

/** `rows`: as dnf and yum print it; `tables`: as zypper does, with `|` between columns. */
export type OutputForm = 'rows' | 'tables';

/** How the programs print whose output is understood. */
const forms: ReadonlyMap<string, OutputForm> = new Map([
  ['dnf5', 'rows'],
  ['dnf', 'rows'],
  ['yum', 'rows'],
  ['zypper', 'tables'],
]);

/** Splits off the first line, `tool<TAB>dnf`; null, with a failure noted, where it names no tool we know. */
export function readToolOutput({ lines, numbers }: ReportSection, notes: SectionNotes): ToolOutput | null {
  const [, name = ''] = /^tool\t(\S+)$/.exec(lines[0] ?? '') ?? [];
  const form = forms.get(name);
  if (form === undefined) {
    notes.fail('its first line names no package manager we know');
    return null;
  }
  return {
    form,
    lines: lines.slice(1).map((text, index) => ({ text, number: numbers[index + 1] ?? 0 })),
  };
}

/**
 * What package managers say between their answers, by how it begins: the age of the cache, plugins, mirrors, whether the
 * host is registered.
 */
const banners = new RegExp(
  `^(?:${[
    'Last metadata expiration check',
    'Loaded plugins',
    'Loading mirror speeds',
    'Determining fastest mirrors',
    'Loading repository data',
    'Reading installed packages',
    'Updating (?:Subscription Management|and loading) repositories',
    'Repositories loaded',
    'Unable to read consumer identity',
    'This system is (?:not )?registered',
    'This system has release set to',
    'Repository .* is listed more than once',
    'Red Hat Subscription Management',
    'Subscription Manager is operating in container mode',
    'Not root, Subscription Management repositories not updated',
    'Security: ',
    'Available [Uu]pgrades',
    'Upgrades$',
    'Updated Packages',
    'Updates Information Summary',
    'updateinfo list done',
    'Is this ok',
    '(?:Excluding|\\d+ packages excluded)',
    'Your (?:product|system)',
    'You can use subscription-manager',
    'Use "?subscription-manager',
    '\\*\\*\\*',
    ' \\* ',
    ': ',
    ' +: ',
  ].join('|')})`,
);

/** Whether a line is none of the answer. */
export function isBanner(line: string): boolean {
  return line.trim() === '' || banners.test(line);
}

const skippedRepository =
  /^(?:Ignoring repositories: |(?:Error: )?Failed to (?:synchronize cache for repo|download metadata for repo)|(?:Error: )?Cache-only enabled but no cache for |Skipping repository |Repository '.*' is out-of-date|Warning: (?:Skipping|Disabling) repository |Some of the repositories have not been refreshed)/;

/** The tool's words that a repository was left out of its answer; null if it says so of none. */
export function skippedRepositoryIn(section: ReportSection): string | null {
  for (const line of [...section.said, ...section.lines]) {
    if (skippedRepository.test(line.trim())) return line.trim();
  }
  return null;
}
