import type { TimeToPatchAnswer } from '@plimsoll/contract';
import { ChartNumbers } from '../../design/chart/chart-numbers.tsx';
import { LineChart } from '../../design/chart/line-chart.tsx';
import { someOf, stepsTo } from '../../design/chart/scale.ts';
import { groupedNumber } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { LongTable } from '../../design/table/long-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { dateInWords } from '../../design/time/moment-words.ts';
import { rowsOfTimes } from './rows-of-times.ts';
import styles from './time-to-patch.module.css';

interface Day {
  readonly day: string;
  /** Null: not known. */
  readonly counts: readonly (number | null)[];
}

function wordsOfCount(count: number | null): string {
  return count === null ? '–' : groupedNumber(count);
}

/** Open findings at the end of each day of the period. */
export function BurnDown({ times }: { readonly times: TimeToPatchAnswer }) {
  const rows = rowsOfTimes(times);
  const lines = rows.filter(({ id }) => id !== 'all' || rows.length === 1);
  const { days } = times;
  const most = Math.max(0, ...lines.flatMap(({ times: each }) => each.open_by_day.map((open) => open ?? 0)));
  const wordsOf = (day: string) => dateInWords(new Date(day), 'UTC');
  const columns: readonly Column<Day>[] = [
    column('day', 'Day', {
      width: '9rem',
      cell: ({ day }) => <time dateTime={day}>{wordsOf(day)}</time>,
      sortBy: ({ day }) => day,
    }),
    ...rows.map(
      ({ id, words }, n): Column<Day> => ({
        id,
        header: words,
        align: 'end',
        width: '8rem',
        cell: ({ counts }) => wordsOfCount(counts[n] ?? null),
        sortBy: ({ counts }) => counts[n] ?? -1,
      }),
    ),
  ];
  const table = days
    .map(
      (day, n): Day => ({
        day,
        counts: rows.map(({ times: each }) => each.open_by_day[n] ?? null),
      }),
    )
    .toReversed();
  return (
    <Panel title="Open findings over time">
      <div className={styles['stack']}>
        {days.length > 1 && (
          <LineChart
            label="Open findings at the end of each day, by severity. The table below has the numbers."
            lines={lines.map(({ id, words, colour, dash, times: each }) => ({
              id,
              words,
              colour,
              dash,
              points: days.map((day, n) => ({
                x: Date.parse(day),
                y: each.open_by_day[n] ?? null,
              })),
            }))}
            xMarks={someOf(days, 4).map((day) => ({ at: Date.parse(day), words: wordsOf(day) }))}
            yMarks={stepsTo(most).map((at) => ({ at, words: groupedNumber(at) }))}
          />
        )}
        <ChartNumbers>
          <LongTable label="Open findings by day" columns={columns} rows={table} rowId={({ day }) => day} />
        </ChartNumbers>
        <p className={styles['muted']}>
          With and without a fix, also on silent hosts as far as is known. A line falls when hosts are
          patched, and when vendors change or withdraw advisories: “Ended otherwise” below has their number.
          {times.all.open_by_day.includes(null) &&
            ' It has a gap, and the table a dash, where nothing was known: no report, or no advisories for the hosts.'}
        </p>
      </div>
    </Panel>
  );
}
