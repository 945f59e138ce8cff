import { splitField } from '../colon-field.ts';
import { type Nevra, parseNevra, splitArchitecture } from '../evr.ts';
import type { ReportSection } from '../report-section.ts';
import type { SectionNotes } from '../section-rule.ts';
import { isBanner, type NumberedLine, readToolOutput, skippedRepositoryIn } from '../tool-output.ts';

/** An advisory of the host's repositories for one package. */
export interface OfferedAdvisory {
  readonly id: string;
  readonly isSecurity: boolean;
  readonly name: string;
  readonly architecture: string;
}

/** Parses `advisories`: the packages that advisories of the host's repositories would update. */
export function parseAdvisories(
  section: ReportSection,
  notes: SectionNotes,
): readonly OfferedAdvisory[] | null {
  const output = readToolOutput(section, notes);
  if (output === null) return null;
  const skipped = skippedRepositoryIn(section);
  if (skipped !== null) notes.fail(`a repository was left out: ${skipped}`);
  return output.form === 'tables' ? readPatches(output.lines) : readRows(output.lines, notes);
}

const packageArchitecture = /\.[a-z][a-z0-9_]*$/;
const headings = /^Name +Type +Severity +Package +/;

/**
 * Parses the rows of `updateinfo list`: dnf's `ID Severity/Sec. NEVRA`, dnf5's `ID type severity NEVRA issued`, with
 * or without the leading mark of an installed one.
 */
function readRows(lines: readonly NumberedLine[], notes: SectionNotes): readonly OfferedAdvisory[] {
  const advisories: OfferedAdvisory[] = [];
  let strange: number | null = null;
  for (const { text, number } of lines) {
    if (isBanner(text) || headings.test(text)) continue;
    const words = text.trim().split(/\s+/, 8);
    if (words[0] === 'i') continue; // Already installed: it updates nothing.
    const at = words.findIndex((word, index) => index >= 2 && index <= 3 && asPackage(word) !== null);
    const nevra = at < 0 ? null : asPackage(words[at] ?? '');
    const [id = ''] = words;
    if (nevra === null) {
      notes.warn(number, 'is not understood as an advisory; passed over');
      strange ??= number;
      continue;
    }
    const types = words.slice(1, at);
    const isSecurity = types.some((type) => type.endsWith('/Sec.') || type.toLowerCase() === 'security');
    advisories.push({ id, isSecurity, name: nevra.name, architecture: nevra.architecture });
  }
  if (strange !== null) notes.fail(`line ${strange} is not understood`);
  return advisories;
}

function asPackage(word: string): Nevra | null {
  return packageArchitecture.test(word) ? parseNevra(word) : null;
}

/** The packages a patch replaces: `bash.x86_64 < 4.4-19.6.1`, or architecture-independent `tzdata < 2025b-1`. */
const replaced = /^(\S+) < \S+$/;
const architectures = new Set(
  'noarch x86_64 i386 i486 i586 i686 aarch64 armv6hl armv7hl ppc64 ppc64le s390 s390x riscv64'.split(' '),
);

/** Parses the output of `zypper info -t patch`; the table of `list-patches` names no packages. */
function readPatches(lines: readonly NumberedLine[]): readonly OfferedAdvisory[] {
  const advisories: OfferedAdvisory[] = [];
  let patch = { id: '', isSecurity: false, isReplacing: false };
  for (const { text } of lines) {
    if (text.startsWith('Information for patch ')) patch = { id: '', isSecurity: false, isReplacing: false };
    // An indented line belongs to the previous field: a description can contain anything.
    const field = text.startsWith(' ') ? null : splitField(text);
    if (field !== null) patch.isReplacing = field.name === 'Conflicts';
    if (field?.name === 'Name') patch.id = field.value;
    else if (field?.name === 'Category') patch.isSecurity = field.value === 'security';
    // A single entry is on the line of the field's name, several entries are below it.
    const name = patch.isReplacing ? replaced.exec(field?.value ?? text.trim())?.[1] : undefined;
    if (patch.id === '' || name === undefined) continue;
    advisories.push({ id: patch.id, isSecurity: patch.isSecurity, ...replacedPackage(name) });
  }
  return advisories;
}

function replacedPackage(name: string): Pick<OfferedAdvisory, 'name' | 'architecture'> {
  const split = splitArchitecture(name);
  return split !== null && architectures.has(split.architecture) ? split : { name, architecture: 'noarch' };
}
