import type { PackageFamily, SectionFailure } from '@plimsoll/model';
import { textLimits } from '../limits.ts';
import { cutText, type Problems } from '../snapshot/field-reader.ts';
import { atLine } from './at-line.ts';
import type { ReportFrame } from './report-frame.ts';
import type { ReportSection } from './report-section.ts';
import { incompleteWords } from './said-words.ts';
import { sectionNotes } from './section-notes.ts';
import { notedSections, type ReportFacts, type SectionName, sectionRules } from './section-registry.ts';
import type { SectionRule } from './section-rule.ts';

/** The facts of a report, and its failed sections. */
export interface SectionsRead {
  readonly facts: ReportFacts;
  readonly failures: SectionFailure[];
}

/** Parses every section of a report. Adds faults that make the report invalid to `problems`. */
export function readSections(frame: ReportFrame, problems: Problems): SectionsRead {
  const failures: SectionFailure[] = [];
  const { family } = frame.header;
  refuseStrangers(frame, problems);
  const facts: Partial<Record<SectionName, unknown>> = {};
  for (const name of sectionNames()) {
    const rule: SectionRule<unknown> = sectionRules[name];
    facts[name] = belongsTo(rule, family) ? readSection(name, rule, frame, { problems, failures }) : null;
  }
  return { facts: facts as ReportFacts, failures }; // Each name maps to the result of its own rule's parser.
}

/** The names of all sections, in the order of the registry. */
function sectionNames(): readonly SectionName[] {
  return Object.keys(sectionRules) as SectionName[]; // Object.keys loses the key type of a constant.
}

function belongsTo(rule: SectionRule<unknown>, family: PackageFamily): boolean {
  return rule.family === 'every' || rule.family === family;
}

function refuseStrangers({ header, sections }: ReportFrame, problems: Problems): void {
  const rules: Readonly<Record<string, SectionRule<unknown>>> = sectionRules;
  for (const { name, line } of sections.values()) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (rule === undefined) {
      problems.warn(atLine(line), `the section ${name} is unknown; skipped`);
    } else if (!belongsTo(rule, header.family)) {
      problems.error(atLine(line), `the section ${name} does not belong to a report of ${header.family}`);
    }
  }
}

function readSection(
  name: SectionName,
  rule: SectionRule<unknown>,
  { sections }: ReportFrame,
  { problems, failures }: { readonly problems: Problems; readonly failures: SectionFailure[] },
): unknown {
  const section = sections.get(name);
  const notes = sectionNotes({ name, fact: rule.fact }, problems, failures);
  if (section === undefined) {
    if (rule.absence === 'invalid') problems.error(atLine(1), `the report has no section ${name}`);
    else if (rule.absence === 'unknown') notes.fail('the report has no such section');
    return null;
  }
  const isAnswer = rule.answers.includes(section.exit);
  const isPartial = !isAnswer && (rule.partial === 'every' || rule.partial?.includes(section.exit) === true);
  if (!isAnswer) notes.fail(wordsOf(section));
  if (!isAnswer && !isPartial) return null;
  const said = isPartial ? [] : incompleteWords(section);
  if (said.length > 0) {
    notes.warn(section.line, `${name}: ${said[0]}`);
    if (!notedSections.has(name)) notes.fail(said.join(': '));
  }
  return rule.parse(section, notes);
}

const exitWords: ReadonlyMap<number, string> = new Map([
  [124, 'timed out'],
  [127, 'there is no such command'],
]);

function wordsOf({ exit, said }: ReportSection): string {
  const words = said.map((line) => line.trim()).filter((line) => line !== '');
  return cutText([exitWords.get(exit) ?? `exit status ${exit}`, ...words].join(': '), textLimits.text);
}
