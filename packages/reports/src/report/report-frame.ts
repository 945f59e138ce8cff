import { maxProblems, reportLimits } from '../limits.ts';
import type { Problems } from '../snapshot/field-reader.ts';
import { atLine } from './at-line.ts';
import { LineCursor } from './line-cursor.ts';
import { type ReportHeader, readReportHeader } from './report-header.ts';
import type { ReportSection } from './report-section.ts';
import { isMark, SectionGatherer } from './section-gatherer.ts';

/** A complete report, split into its sections. */
export interface ReportFrame {
  readonly header: ReportHeader;
  /** By name, in the order of the report. */
  readonly sections: ReadonlyMap<string, ReportSection>;
}

/**
 * Splits a report into its sections, in one pass. Returns null for a broken or cut report or for two reports in one,
 * with the line in `problems`.
 */
export function readReportFrame(text: string, problems: Problems): ReportFrame | null {
  const cursor = new LineCursor(text);
  cursor.next();
  const header = readReportHeader(cursor.line, text, problems);
  if (header === null) return null;
  const sections = new SectionGatherer(problems);
  while (cursor.next()) {
    const { line, number } = cursor;
    if (number > reportLimits.lines) {
      problems.error(atLine(number), `is beyond the ${reportLimits.lines} lines a report may have`);
      return null;
    }
    if (line.length > reportLimits.lineLength) {
      problems.error(atLine(number), `is longer than ${reportLimits.lineLength} characters`);
    } else if (isMark(line, '@end')) {
      sections.endReport(line, number);
      if (sections.isEnded) break;
    } else {
      sections.take(line, number);
    }
    if (problems.errors.length >= maxProblems) return null;
  }
  if (sections.isEnded) refuseTail(cursor, problems);
  else sections.noteCut(cursor.number);
  return problems.errors.length > 0 ? null : { header, sections: sections.byName };
}

/**
 * Splits the beginning of a report, which ends after its first line or after a section, into its sections. Returns
 * null for broken lines, which are noted in `problems`.
 */
export function readReportBeginning(text: string, problems: Problems): ReportFrame | null {
  const cursor = new LineCursor(text);
  cursor.next();
  const header = readReportHeader(cursor.line, text, problems);
  if (header === null) return null;
  const sections = new SectionGatherer(problems);
  while (cursor.next()) sections.take(cursor.line, cursor.number);
  return problems.errors.length > 0 ? null : { header, sections: sections.byName };
}

function refuseTail(cursor: LineCursor, problems: Problems): void {
  while (cursor.next()) {
    if (cursor.line.trim() === '') continue;
    const isReport = cursor.line.startsWith('plimsoll-report ');
    const what = isReport
      ? 'a second report begins here; send them one by one'
      : 'is after the end of the report';
    problems.error(atLine(cursor.number), what);
    return;
  }
}
