import type { FleetDay } from '@plimsoll/contract';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useTheme } from '../../../shell/theme.ts';
import styles from '../fleet.module.css';
import { dayInWords, findingsOn, type TrendSeries } from './trend-series.ts';

interface TrendChartProps {
  readonly days: readonly FleetDay[];
  readonly series: readonly TrendSeries[];
}

const height = 220;

/** The trend as lines; a day that is not known is a gap. The table below it has the same data for screen readers. */
export function TrendChart({ days, series }: TrendChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const theme = useTheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the drawn colours depend on the theme
  useEffect(() => {
    const box = place.current;
    if (box === null) return;
    const chart = new UPlot(optionsOf(box, series), dataOf(days, series), box);
    const resized = new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height }));
    resized.observe(box);
    const darkness = matchMedia('(prefers-color-scheme: dark)');
    const redraw = () => chart.redraw(false);
    darkness.addEventListener('change', redraw);
    return () => {
      darkness.removeEventListener('change', redraw);
      resized.disconnect();
      chart.destroy();
    };
  }, [days, series, theme]);
  const words = series.map((line) => line.words.toLowerCase()).join(', ');
  return (
    <div
      ref={place}
      className={styles['chart']}
      role="img"
      aria-label={`Findings by day: ${words}. The table below has the numbers.`}
    />
  );
}

function dataOf(days: readonly FleetDay[], series: readonly TrendSeries[]): UPlot.AlignedData {
  return [
    days.map(({ day }) => Date.parse(day) / 1000),
    ...series.map(({ key }) => days.map((day) => findingsOn(day, key))),
  ];
}

function optionsOf(box: HTMLElement, series: readonly TrendSeries[]): UPlot.Options {
  const colour = (token: string) => () => colourOf(box, token);
  const axis = {
    stroke: colour('--muted'),
    grid: { stroke: colour('--border'), width: 1 },
    ticks: { show: false },
  };
  return {
    width: box.clientWidth,
    height,
    legend: { show: false },
    cursor: { show: false },
    padding: [8, 24, 0, 0],
    scales: { x: { time: false }, y: { range: (_chart, _min, max) => [0, Math.max(5, max * 1.1)] } },
    axes: [
      {
        ...axis,
        space: 64,
        incrs: [1, 2, 7, 14, 30].map((steps) => steps * 86_400),
        values: (_chart, moments) => moments.map((at) => dayInWords(new Date(at * 1000).toISOString())),
      },
      {
        ...axis,
        size: 48,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6],
      },
    ],
    series: [
      {},
      ...series.map(({ words, colour: token, dash, width }) => ({
        label: words,
        stroke: colour(token),
        dash: [...dash],
        width,
        spanGaps: false,
        points: { show: false },
      })),
    ],
  };
}

/** Current colour of a token: a canvas cannot use CSS variables. */
function colourOf(box: HTMLElement, token: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  box.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
