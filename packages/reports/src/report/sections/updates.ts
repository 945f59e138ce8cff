import { normalizeEvr, splitArchitecture } from '../evr.ts';
import { readPipeTables } from '../pipe-table.ts';
import type { ReportSection } from '../report-section.ts';
import type { SectionNotes } from '../section-rule.ts';
import { isBanner, type NumberedLine, readToolOutput, skippedRepositoryIn } from '../tool-output.ts';

/** An update that a package manager of the rpm family offers. */
export interface OfferedUpdate {
  readonly name: string;
  readonly architecture: string;
  readonly candidateVersion: string;
  readonly repository: string;
  /** Its report line. */
  readonly line: number;
}

/** check-update exits with 100 if there are updates. */
const exitWithUpdates = 100;

/**
 * Parses `updates`. A line that is neither an update nor a known banner makes the updates unknown, and so does one that
 * starts like an update but continues differently.
 */
export function parseUpdates(section: ReportSection, notes: SectionNotes): readonly OfferedUpdate[] | null {
  const output = readToolOutput(section, notes);
  if (output === null) return null;
  const skipped = skippedRepositoryIn(section);
  if (skipped !== null) notes.fail(`a repository was left out: ${skipped}`);
  if (output.form === 'tables') return readZypperUpdates(output.lines, skipped, notes);
  const { updates, obsoletes } = readRows(output.lines, notes);
  if (section.exit === exitWithUpdates && updates.length === 0 && !obsoletes) {
    notes.fail('it says that there are updates, but lists none that we can read');
  }
  return updates;
}

const evrForm = /^(?:\d+:)?[A-Za-z0-9][^\s-]*-[^\s-]+$/;
const packageForm = /^[A-Za-z0-9][A-Za-z0-9._+~^-]*\.[a-z][a-z0-9_]*$/;
const obsoletesHeading = /^Obsoleting [Pp]ackages/;

/**
 * Parses the three columns of dnf and yum. yum wraps a row that exceeds its terminal: a single word is the name, two
 * words the name and version, and an indented line continues the row.
 */
function readRows(
  lines: readonly NumberedLine[],
  notes: SectionNotes,
): { readonly updates: readonly OfferedUpdate[]; readonly obsoletes: boolean } {
  const updates: OfferedUpdate[] = [];
  let row: { words: readonly string[]; number: number } | null = null;
  const broken: number[] = [];
  let strange: NumberedLine | null = null as NumberedLine | null;
  let obsoletes = false;
  const finish = (): void => {
    if (row !== null) broken.push(row.number);
    row = null;
  };
  for (const { text, number } of lines) {
    if (obsoletesHeading.test(text)) {
      obsoletes = true;
      break;
    }
    const words = text.trim().split(/\s+/);
    const isIndented = text.startsWith(' ');
    if (row !== null && isIndented) {
      row = { words: [...row.words, ...words], number: row.number };
    } else {
      finish();
      if (!packageForm.test(words[0] ?? '') || isBanner(text)) {
        if (!isBanner(text)) strange ??= { text, number };
        continue;
      }
      row = { words, number };
    }
    if (row.words.length < 3) continue;
    const update = updateOf(row.words, row.number);
    if (update === null) finish();
    else updates.push(update);
    row = null;
  }
  finish();
  if (broken.length > 0) notes.fail(`line ${broken[0]} begins like an update, but is not one`);
  if (strange !== null) {
    notes.warn(strange.number, 'is not understood as an update; passed over');
    notes.fail(`line ${strange.number} is not understood: ${strange.text.trim()}`);
  }
  return { updates, obsoletes };
}

function updateOf(words: readonly string[], line: number): OfferedUpdate | null {
  const [nameAndArchitecture = '', evr = '', repository = ''] = words;
  const split = splitArchitecture(nameAndArchitecture);
  if (words.length !== 3 || split === null || !evrForm.test(evr)) return null;
  return { ...split, candidateVersion: normalizeEvr(evr), repository, line };
}

const noUpdates = 'No updates found.';
/** What else `zypper list-updates` prints as its answer: the ruler of a table, and that there is none. */
const zypperRows = /^(?:[-+]+|No updates found\.)\s*$/;

/** Parses `zypper list-updates`, which also prints warnings to its output, each with indented lines about it. */
function readZypperUpdates(
  lines: readonly NumberedLine[],
  skipped: string | null,
  notes: SectionNotes,
): readonly OfferedUpdate[] | null {
  const warnings = lines.filter(
    ({ text }) => !text.includes('|') && !isBanner(text) && !zypperRows.test(text),
  );
  if (skipped === null && warnings.length > 0) notes.fail(warnings.map(({ text }) => text.trim()).join(': '));
  if (lines.some(({ text }) => text.trim() === noUpdates)) return [];
  const rows = readPipeTables(lines);
  if (rows === null) {
    notes.fail('its output is not a list of updates');
    return null;
  }
  const updates: OfferedUpdate[] = [];
  for (const row of rows) {
    const [name, candidateVersion, architecture] = ['Name', 'Available Version', 'Arch'].map(row.cell);
    if (!row.isWhole || !name || !candidateVersion || !architecture) {
      notes.fail(`line ${row.number} is no update`);
      continue;
    }
    const repository = row.cell('Repository');
    updates.push({
      name,
      architecture,
      candidateVersion: normalizeEvr(candidateVersion),
      repository,
      line: row.number,
    });
  }
  return updates;
}
