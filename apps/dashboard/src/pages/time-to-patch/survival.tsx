import type { TimeToPatchAnswer } from '@plimsoll/contract';
import { ChartNumbers } from '../../design/chart/chart-numbers.tsx';
import { LineChart } from '../../design/chart/line-chart.tsx';
import { groupedNumber } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { Empty } from '../../design/states.tsx';
import { DataTable } from '../../design/table/data-table.tsx';
import type { Column } from '../../design/table/table-columns.ts';
import { shareWords } from './hours-words.ts';
import { rowsOfTimes, type TimesRow } from './rows-of-times.ts';
import styles from './time-to-patch.module.css';

/** The share of findings that is still open after some days, by severity. */
export function SurvivalBySeverity({ times }: { readonly times: TimeToPatchAnswer }) {
  return (
    <Panel title="Still open after">
      <Survival rows={rowsOfTimes(times)} by="severity" />
    </Panel>
  );
}

const shownDays = [1, 3, 7, 14, 30, 60, 90, 181, 363] as const;
const quarters = [0, 0.25, 0.5, 0.75, 1];

/** Curves of the share that is still open, with their numbers. */
export function Survival({
  rows,
  by,
}: {
  readonly rows: readonly TimesRow[];
  readonly by: 'severity' | 'tag';
}) {
  const drawn = rows.filter(({ times }) => times.curve.length > 1);
  if (drawn.length === 0)
    return <Empty title="Nothing is known that was closed or open with a fix for a day in the period" />;
  const last = Math.max(7, ...drawn.map(({ times }) => times.curve.at(-1)?.days ?? 0));
  const marks = [0, ...[7, 14, 30, 60, 90, 180, 365].filter((days) => days < last * 0.9), last];
  return (
    <div className={styles['stack']}>
      <LineChart
        label={`Share of findings still open after some days, by ${by}. The table below has the numbers.`}
        lines={drawn.map(({ id, words, colour, dash, times }) => ({
          id,
          words,
          colour,
          dash,
          isStepped: true,
          points: times.curve.map(({ days, open_share }) => ({ x: days, y: open_share })),
        }))}
        xMarks={spaced(marks, last).map((at) => ({ at, words: at === last ? `${at} days` : String(at) }))}
        yMarks={quarters.map((at) => ({ at, words: `${at * 100}%` }))}
      />
      <ChartNumbers>
        <DataTable
          label={`Still open, by ${by}`}
          columns={columnsOf(by)}
          rows={rows}
          rowId={({ id }) => id}
        />
      </ChartNumbers>
      <p className={styles['muted']}>
        Estimated from closed findings and from open ones with a fix, whose end is not known yet
        (Kaplan-Meier). Findings from before the period count with their whole time, so the estimate is rather
        too high. A curve ends where nothing was observed for longer.
      </p>
    </div>
  );
}

/** Marks that are not too close to each other, with the first and the last one. */
function spaced(marks: readonly number[], last: number): readonly number[] {
  return marks.filter((at, n) => n === 0 || at === last || at - (marks[n - 1] ?? 0) >= last / 12);
}

function columnsOf(by: string): readonly Column<TimesRow>[] {
  return [
    { id: 'name', header: by === 'tag' ? 'Tag' : 'Severity', cell: ({ words }) => words },
    ...shownDays.map(
      (days): Column<TimesRow> => ({
        id: String(days),
        header: `${days} ${days === 1 ? 'day' : 'days'}`,
        align: 'end',
        cell: ({ times: { curve } }) => {
          const point = curve.find((each) => each.days === days);
          if (point !== undefined)
            return `${shareWords(point.open_share)} (of ${groupedNumber(point.at_risk)})`;
          return curve.at(-1)?.open_share === 0 && (curve.at(-1)?.days ?? 0) < days ? '0.0%' : '–';
        },
      }),
    ),
  ];
}
