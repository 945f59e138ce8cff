import type { FleetDay } from '@plimsoll/contract';
import { lazy, Suspense, useState } from 'react';
import { Loading } from '../../../design/states.tsx';
import { loadPage } from '../../../shell/load-page.ts';
import styles from '../fleet.module.css';
import { TrendLegend } from './trend-legend.tsx';
import { dayInWords, knownDays, type TrendSeries, trendInWords, trendSeries } from './trend-series.ts';
import { TrendTable } from './trend-table.tsx';

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
