/** A section of a report, see docs/report-format.md. */
export interface Section {
  readonly lines: readonly string[];
  readonly said: readonly string[];
  readonly exit: number;
}

/** A complete report. */
export interface Report {
  readonly heading: string;
  readonly sections: ReadonlyMap<string, Section>;
  /** The input of the content hash: everything after the first section. */
  readonly content: string;
}

/** Parses a report; throws if it breaks a rule of docs/report-format.md. */
export function readReport(text: string): Report {
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Error('the last line does not end');
  const [heading = '', ...rest] = lines;
  const sections = new Map<string, Section>();
  let open: { name: string; lines: string[]; said: string[] } | null = null;
  for (const [index, line] of rest.entries()) {
    const [, name] = /^@([a-z][a-z0-9-]*)$/.exec(line) ?? [];
    const [, exit] = /^@exit (\d{1,3})$/.exec(line) ?? [];
    if (exit !== undefined && open !== null) {
      sections.set(open.name, { lines: open.lines, said: open.said, exit: Number(exit) });
      open = null;
    } else if (name !== undefined && open === null) {
      if (sections.has(name)) throw new Error(`${name} is there twice`);
      open = { name, lines: [], said: [] };
    } else if (open !== null && line.startsWith(' ')) {
      open.lines.push(line.slice(1));
    } else if (open !== null && line.startsWith('!')) {
      open.said.push(line.slice(1));
    } else if (index === rest.length - 1 && line === `@end ${sections.size} ${rest.length}`) {
      return { heading, sections, content: text.slice(text.indexOf('\n@exit ')) };
    } else {
      throw new Error(`line ${index + 2} breaks the format: ${line.slice(0, 200)}`);
    }
  }
  throw new Error('the report is not whole');
}

/** A section; throws if it is missing. */
export function sectionOf(report: Report, name: string): Section {
  const section = report.sections.get(name);
  if (section === undefined) throw new Error(`there is no section ${name}`);
  return section;
}

/** The values of a key in a section of `key<TAB>value` rows. */
export function valuesOf(section: Section, key: string): readonly string[] {
  return section.lines
    .filter((line) => line.startsWith(`${key}\t`))
    .map((line) => line.slice(key.length + 1));
}
