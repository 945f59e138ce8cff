import { splitField } from '../colon-field.ts';
import { readPipeTables } from '../pipe-table.ts';
import type { ReportSection } from '../report-section.ts';
import type { SectionNotes } from '../section-rule.ts';
import { type NumberedLine, readToolOutput } from '../tool-output.ts';
import { withoutCredentials } from '../url.ts';

/** A repository of dnf, yum or zypper. */
export interface RpmRepository {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
}

/** Parses `repositories`. */
export function parseRepositories(
  section: ReportSection,
  notes: SectionNotes,
): readonly RpmRepository[] | null {
  const output = readToolOutput(section, notes);
  if (output === null) return null;
  return output.form === 'tables' ? readZypperTable(output.lines, notes) : readStanzas(output.lines);
}

const idFields: ReadonlySet<string> = new Set(['repo-id', 'repo id']);
const statusFields: ReadonlySet<string> = new Set(['repo-status', 'status']);
/** The most stable fields first: a base URL can be one of many mirrors. */
const urlFields = [
  'repo-metalink',
  'metalink',
  'repo-mirrors',
  'mirrors',
  'mirrorlist',
  'repo-baseurl',
  'base url',
];

/** Parses `Key : value` stanzas, each starting with the repository's id. */
function readStanzas(lines: readonly NumberedLine[]): readonly RpmRepository[] {
  const stanzas: Map<string, string>[] = [];
  for (const { text } of lines) {
    const field = splitField(text);
    if (field === null) continue;
    const key = field.name.toLowerCase();
    if (idFields.has(key)) stanzas.push(new Map([['id', field.value]]));
    else if (statusFields.has(key)) stanzas.at(-1)?.set('status', field.value.toLowerCase());
    else if (urlFields.includes(key)) stanzas.at(-1)?.set(key, field.value);
  }
  return stanzas.map((stanza) => {
    const url = urlFields.map((key) => stanza.get(key)).find((value) => value !== undefined && value !== '');
    // yum appends the version and the architecture to its ids: base/7/x86_64.
    const id = (stanza.get('id') ?? '').split('/', 1)[0] ?? '';
    return { id, url: cleanUrl(url), enabled: stanza.get('status') !== 'disabled' };
  });
}

function readZypperTable(
  lines: readonly NumberedLine[],
  notes: SectionNotes,
): readonly RpmRepository[] | null {
  const rows = readPipeTables(lines);
  if (rows === null) {
    notes.fail('its output is not a list of repositories');
    return null;
  }
  const odd = rows.find(({ isWhole }) => !isWhole);
  if (odd !== undefined) notes.fail(`line ${odd.number} does not fit the heading`);
  return rows.map(({ cell }) => ({
    id: cell('Alias'),
    url: cleanUrl(cell('URI')),
    enabled: cell('Enabled').toLowerCase().endsWith('yes'),
  }));
}

/** dnf prints `https://… (9 more)`, or several separated by commas. */
function cleanUrl(text = ''): string {
  return withoutCredentials(text.split(/[\s,]/, 1)[0] ?? '');
}
