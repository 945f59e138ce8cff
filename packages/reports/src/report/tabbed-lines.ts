import type { ReportSection } from './report-section.ts';

/** A line of `key<TAB>value<TAB>…`. */
export interface TabbedLine {
  readonly key: string;
  /** Empty where the line has none. */
  readonly value: string;
  /** Every column, `key` and `value` included. */
  readonly columns: readonly string[];
  /** Where it stands in the report. */
  readonly number: number;
}

/** The lines of a section as keys and values, without the empty ones. */
export function tabbedLines({ lines, numbers }: ReportSection): readonly TabbedLine[] {
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const columns = line.split('\t');
    const [key = '', value = ''] = columns;
    return [{ key, value, columns, number: numbers[index] ?? 0 }];
  });
}
