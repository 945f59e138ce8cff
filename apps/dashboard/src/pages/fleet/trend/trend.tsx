import type { FleetDay } from '@plimsoll/contract';
import { lazy, Suspense, useState } from 'react';
import { ChartNumbers } from '../../../design/chart/chart-numbers.tsx';
import { Checkbox } from '../../../design/form/fields.tsx';
import { Loading } from '../../../design/states.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { loadPage } from '../../../shell/load-page.ts';
import styles from '../fleet.module.css';
import {
  dayInWords,
  findingsOn,
  knownDays,
  type TrendSeries,
  trendInWords,
  trendSeries,
} from './trend-series.ts';

const TrendChart = lazy(async () => ({
  default: (await loadPage(() => import('./trend-chart.tsx'))).TrendChart,
}));

/** Smallest number of days for a chart. */
const minChartDays = 2;

/** The findings by day: as text, chart and table. */
export function Trend({ days }: { readonly days: readonly FleetDay[] }) {
  const [hidden, setHidden] = useState<readonly TrendSeries['key'][]>([]);
  const known = knownDays(days);
  const toggle = (key: TrendSeries['key']) =>
    setHidden(hidden.includes(key) ? hidden.filter((each) => each !== key) : [...hidden, key]);
  return (
    <div className={styles['trend']}>
      <p className={styles['verdict']}>{trendInWords(days)}</p>
      {known.length >= minChartDays && (
        <>
          <Suspense fallback={<Loading what="Loading the chart" />}>
            <TrendChart days={days} series={trendSeries.filter(({ key }) => !hidden.includes(key))} />
          </Suspense>
          <TrendLegend hidden={hidden} onToggle={toggle} />
        </>
      )}
      {known.length > 0 && known.length < days.length && (
        <p className={styles['meaning']}>
          Recorded since {dayInWords(known[0]?.day ?? '')} ({known.length} of {days.length} days).
        </p>
      )}
      <TrendTable days={known} />
    </div>
  );
}

interface TrendLegendProps {
  readonly hidden: readonly TrendSeries['key'][];
  readonly onToggle: (key: TrendSeries['key']) => void;
}

/** Legend of the chart; a press hides or shows a line. */
function TrendLegend({ hidden, onToggle }: TrendLegendProps) {
  return (
    <ul className={styles['legend']} aria-label="Lines of the chart">
      {trendSeries.map(({ key, words, dash, width }) => (
        <li key={key}>
          <Checkbox isSelected={!hidden.includes(key)} onChange={() => onToggle(key)}>
            <svg className={`${styles['sample']} ${styles[key]}`} viewBox="0 0 32 8" aria-hidden="true">
              <line x1="0" y1="4" x2="32" y2="4" strokeWidth={width} strokeDasharray={dash.join(' ')} />
            </svg>
            {words}
          </Checkbox>
        </li>
      ))}
    </ul>
  );
}

const columns: readonly Column<FleetDay>[] = [
  column('day', 'Day', {
    cell: ({ day }) => <time dateTime={day}>{dayInWords(day)}</time>,
    sortBy: ({ day }) => day,
  }),
  ...trendSeries.map(
    ({ key, words }): Column<FleetDay> => ({
      id: key,
      header: words,
      cell: (day) => findingsOn(day, key),
      sortBy: (day) => findingsOn(day, key) ?? -1,
      align: 'end',
    }),
  ),
];
const newestFirst = [{ id: 'day', desc: true }];

/** The data of the chart as a table. */
function TrendTable({ days }: { readonly days: readonly FleetDay[] }) {
  return (
    <ChartNumbers>
      <DataTable
        label="Findings by day"
        columns={columns}
        rows={days}
        rowId={({ day }) => day}
        sorting={newestFirst}
      />
    </ChartNumbers>
  );
}
