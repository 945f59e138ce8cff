import { reportLimits } from '../limits.ts';
import type { Problems } from '../snapshot/field-reader.ts';
import { atLine } from './at-line.ts';
import type { ReportSection } from './report-section.ts';

const sectionStart = /^@([a-z0-9][a-z0-9-]*)$/;
const sectionEnd = /^@exit (\d{1,3})$/;
const reportEnd = /^@end (\d{1,9}) (\d{1,9})$/;

type OpenSection = { -readonly [Key in keyof ReportSection]: ReportSection[Key] } & {
  lines: string[];
  numbers: number[];
  said: string[];
};

/** Assigns the lines of a report to sections, and notes misplaced lines in `problems`. */
export class SectionGatherer {
  readonly byName = new Map<string, ReportSection>();
  isEnded = false;
  private readonly problems: Problems;
  private open: OpenSection | null = null;
  private started = 0;

  constructor(problems: Problems) {
    this.problems = problems;
  }

  /** Processes a line that is not the end of the report. */
  take(line: string, number: number): void {
    switch (line.charCodeAt(0)) {
      case 0x20:
        this.takeContent(line.slice(1), number);
        break;
      case 0x21:
        this.takeSaid(line.slice(1), number);
        break;
      case 0x40:
        if (isMark(line, '@exit')) this.endSection(line, number);
        else this.startSection(line, number);
        break;
      default:
        this.takeOther(line, number);
    }
  }

  /** Processes the `@end` line and verifies its counts. */
  endReport(line: string, number: number): void {
    const [, sections, lines] = reportEnd.exec(line) ?? [];
    if (sections === undefined || lines === undefined) {
      this.error(number, 'should read "@end SECTIONS LINES"');
      return;
    }
    this.isEnded = true;
    if (this.open !== null) this.error(number, `ends the report inside the section ${placeOf(this.open)}`);
    if (Number(sections) !== this.started || Number(lines) !== number - 1) {
      const came = `${this.started} sections and ${number - 1} lines came`;
      this.error(number, `${came}, but it counts ${sections} and ${lines}: something is missing or doubled`);
    }
  }

  /** Notes that the report stopped without its end, after line `last`. */
  noteCut(last: number): void {
    const where = this.open === null ? '' : ` inside the section ${placeOf(this.open)}`;
    this.error(last, `the report is cut off after this line${where}: "@end" is missing`);
  }

  private takeContent(text: string, number: number): void {
    if (this.open === null) {
      this.error(number, 'is outside all sections');
    } else {
      this.open.lines.push(text);
      this.open.numbers.push(number);
    }
  }

  private takeSaid(text: string, number: number): void {
    if (this.open === null) this.error(number, 'is outside all sections');
    else if (this.open.said.length < reportLimits.saidLines) this.open.said.push(text);
  }

  private takeOther(line: string, number: number): void {
    // An editor that strips trailing spaces turns an empty content line, which is one space, into an empty line.
    if (line === '' && this.open !== null) {
      this.takeContent('', number);
    } else if (line.startsWith('plimsoll-report ')) {
      this.error(number, 'a second report begins here, and the first one has no end');
    } else {
      this.error(number, 'begins with neither a space, "!" nor "@"');
    }
  }

  private startSection(line: string, number: number): void {
    const name = sectionStart.exec(line)?.[1];
    if (name === undefined || name.length > reportLimits.sectionName) {
      this.error(number, 'is no name of a section');
      return;
    }
    if (this.open !== null) this.error(number, `begins a section, but ${placeOf(this.open)} has no "@exit"`);
    this.started++;
    if (this.started === reportLimits.sections + 1) {
      this.error(number, `is beyond the ${reportLimits.sections} sections a report may have`);
    }
    this.open = { name, line: number, exit: 0, lines: [], numbers: [], said: [] };
  }

  private endSection(line: string, number: number): void {
    const exit = sectionEnd.exec(line)?.[1];
    const { open } = this;
    if (exit === undefined || open === null) {
      this.error(number, exit === undefined ? 'should read "@exit N"' : 'ends a section, but none has begun');
      return;
    }
    open.exit = Number(exit);
    const first = this.byName.get(open.name);
    if (first !== undefined) {
      this.error(open.line, `the section ${open.name} came at line ${first.line} already`);
    }
    if (open.name === 'observed' && this.started > 1) {
      this.error(open.line, 'the section observed does not stand first');
    }
    this.byName.set(open.name, open);
    this.open = null;
  }

  private error(number: number, detail: string): void {
    this.problems.error(atLine(number), detail);
  }
}

/** Whether a line is a mark of the format, valid or not, but not a section whose name starts with the mark. */
export function isMark(line: string, mark: string): boolean {
  return line === mark || line.startsWith(`${mark} `);
}

function placeOf({ name, line }: OpenSection): string {
  return `${name} (line ${line})`;
}
