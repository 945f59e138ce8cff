import { Checkbox } from '../../../design/form/fields.tsx';
import styles from '../fleet.module.css';
import { type TrendSeries, trendSeries } from './trend-series.ts';

interface TrendLegendProps {
  readonly hidden: readonly TrendSeries['key'][];
  readonly onToggle: (key: TrendSeries['key']) => void;
}

/** Legend of the chart; a press hides or shows a line. */
export function TrendLegend({ hidden, onToggle }: TrendLegendProps) {
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
