import type { FleetDay } from '@plimsoll/contract';
import { DataTable } from '../../../design/table/data-table.tsx';
import type { Column } from '../../../design/table/table-columns.ts';
import styles from '../fleet.module.css';
import { dayInWords, findingsOn, trendSeries } from './trend-series.ts';

const columns: readonly Column<FleetDay>[] = [
  {
    id: 'day',
    header: 'Day',
    cell: ({ day }) => <time dateTime={day}>{dayInWords(day)}</time>,
    sortBy: ({ day }) => day,
  },
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
export function TrendTable({ days }: { readonly days: readonly FleetDay[] }) {
  return (
    <details className={styles['numbers']}>
      <summary>Show the numbers as a table</summary>
      <DataTable
        label="Findings by day"
        columns={columns}
        rows={days}
        rowId={({ day }) => day}
        sorting={newestFirst}
      />
    </details>
  );
}
