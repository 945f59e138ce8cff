import type { ReportSection } from './report-section.ts';
import { isNotice } from './said-words.ts';
import type { SectionNotes } from './section-rule.ts';

/** The output of a package manager of the rpm family. */
export interface ToolOutput {
  readonly form: OutputForm;
  /** Without the line with the tool's name. */
  readonly lines: readonly NumberedLine[];
}

/** A line with its report line number. */
export interface NumberedLine {
  readonly text: string;
  readonly number: number;
}

/** `rows`: the format of dnf and yum; `tables`: that of zypper, with `|` between columns. */
export type OutputForm = 'rows' | 'tables';

/** The output formats of the supported programs. */
const forms: ReadonlyMap<string, OutputForm> = new Map([
  ['dnf5', 'rows'],
  ['dnf', 'rows'],
  ['yum', 'rows'],
  ['zypper', 'tables'],
]);

/** Splits off the first line, `tool<TAB>dnf`; null, with a noted failure, if the tool is unknown. */
export function readToolOutput({ lines, numbers }: ReportSection, notes: SectionNotes): ToolOutput | null {
  const [, name = ''] = /^tool\t(\S+)$/.exec(lines[0] ?? '') ?? [];
  const form = forms.get(name);
  if (form === undefined) {
    notes.fail('its first line names no package manager we know');
    return null;
  }
  return {
    form,
    lines: lines
      .slice(1)
      .map((text, index) => ({ text: withoutColors(text), number: numbers[index + 1] ?? 0 })),
  };
}

/** ECMA-48 sequences of a tool that is set to always print colours; the collector writes escape characters as "?". */
const colors = /\?(?:\[[0-9;]*[A-Za-z]|\([AB0])/g;

function withoutColors(text: string): string {
  return text.includes('?[') ? text.replace(colors, '') : text;
}

/**
 * Prefixes of messages that package managers print between answers: age of the cache, plugins, mirrors, registration
 * state.
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
    'This system is not registered',
    'This system has release set to',
    'Repository .* is listed more than once',
    'Red Hat Subscription Management',
    'Subscription Manager is operating in container mode',
    'Not root, Subscription Management repositories not updated',
    'Security: ',
    'Repodata is over \\d+ weeks old',
    'Delta RPMs disabled',
    '(?:You should report this problem|To help pinpoint|If you are the owner)',
    'Available [Uu]pgrades',
    'Upgrades$',
    'Updated Packages',
    'Updates Information Summary',
    'updateinfo list done',
    'Is this ok',
    '(?:Excluding|\\d+ packages excluded)',
    'You can use subscription-manager',
    'Use "?subscription-manager',
    ' \\* ',
    ': ',
    ' +: ',
  ].join('|')})`,
);

/** Whether a line is not part of the answer. */
export function isBanner(line: string): boolean {
  return line.trim() === '' || banners.test(line.trimEnd()) || isNotice(line);
}

const skippedRepository =
  /^(?:Ignoring repositories: |(?:Error: )?Failed to (?:synchronize cache for repo|download metadata for repo)|(?:Error: )?Cache-only enabled but no cache for |Skipping repository |Repository '.*' is out-of-date|Warning: (?:Skipping|Disabling) repository |Some of the repositories have not been refreshed)/;

/** The tool's message that a repository was skipped; null without such a message. */
export function skippedRepositoryIn(section: ReportSection): string | null {
  for (const line of [...section.said, ...section.lines]) {
    if (skippedRepository.test(line.trim())) return line.trim();
  }
  return null;
}
