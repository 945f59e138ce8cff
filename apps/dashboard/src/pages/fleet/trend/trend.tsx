import type { FleetDay } from '@plimsoll/contract';
import { lazy, Suspense, useState } from 'react';
import { Checkbox } from '../../../design/form/fields.tsx';
import { Loading } from '../../../design/states.tsx';
import { loadPage } from '../../../shell/load-page.ts';
import styles from '../fleet.module.css';
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
