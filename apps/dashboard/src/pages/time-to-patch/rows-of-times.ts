import type { TimeToPatchAnswer } from '@plimsoll/contract';
import { severityOrder, severityWords } from '@plimsoll/words';

/** The numbers of one severity, or of all. */
export type Times = TimeToPatchAnswer['all'];

/** A row of the tables of the page. */
export interface TimesRow {
  readonly id: string;
  readonly words: string;
  /** CSS variable of its colour. */
  readonly colour: string;
  /** Distinguishes its line without colour. */
  readonly dash: readonly number[];
  readonly times: Times;
}

const looks: Readonly<Record<string, readonly [colour: string, dash: readonly number[]]>> = {
  critical: ['--critical', []],
  important: ['--important', [10, 4]],
  moderate: ['--moderate', [4, 4]],
  low: ['--low', [1.5, 4]],
  unrated: ['--neutral', [12, 4, 2, 4]],
};

/** The severities with a number, the most severe first, and all together if there are several. */
export function rowsOfTimes({ by_severity, all }: TimeToPatchAnswer): readonly TimesRow[] {
  const rows = severityOrder.flatMap((severity): readonly TimesRow[] => {
    const times = severity === 'none' ? undefined : by_severity[severity];
    if (times === undefined) return [];
    const [colour, dash] = looks[severity] ?? ['--neutral', []];
    return [{ id: severity, words: severityWords[severity].words, colour, dash, times }];
  });
  if (rows.length < 2) return rows;
  return [...rows, { id: 'all', words: 'All together', colour: '--text', dash: [2, 2], times: all }];
}
