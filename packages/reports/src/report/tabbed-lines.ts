import type { ReportSection } from './report-section.ts';

/** A line of `key<TAB>value<TAB>…`. */
export interface TabbedLine {
  readonly key: string;
  /** Empty if absent. */
  readonly value: string;
  /** Every column, including `key` and `value`. */
  readonly columns: readonly string[];
  /** Its report line. */
  readonly number: number;
}

/** The non-empty lines of a section as keys and values. */
export function tabbedLines({ lines, numbers }: ReportSection): readonly TabbedLine[] {
  return lines.flatMap((line, index) => {
    if (line.trim() === '') return [];
    const columns = line.split('\t');
    const [key = '', value = ''] = columns;
    return [{ key, value, columns, number: numbers[index] ?? 0 }];
  });
}
