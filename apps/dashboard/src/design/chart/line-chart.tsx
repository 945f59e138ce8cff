import { useEffect, useRef, useState } from 'react';
import styles from './chart.module.css';

/** A line of a chart. */
export interface ChartLine {
  readonly id: string;
  readonly words: string;
  /** CSS variable of its colour. */
  readonly colour: string;
  /** Lengths of dashes and gaps, which distinguish the lines without colour; empty: a solid line. */
  readonly dash: readonly number[];
  readonly points: readonly ChartPoint[];
}

/** A point; `y` null: not known, a gap. */
export interface ChartPoint {
  readonly x: number;
  readonly y: number | null;
}

/** A mark of an axis. */
export interface ChartMark {
  readonly at: number;
  readonly words: string;
}

interface LineChartProps {
  /** What it shows, for screen readers. A table beside it has the numbers. */
  readonly label: string;
  readonly lines: readonly ChartLine[];
  /** Of the horizontal axis, sorted; the first and the last one are its ends. */
  readonly xMarks: readonly ChartMark[];
  /** Of the vertical axis, from 0, sorted. */
  readonly yMarks: readonly ChartMark[];
}

const height = 220;
const margin = { top: 8, right: 16, bottom: 24, left: 52 };
const firstWidth = 600;
/** Pixels for a mark of the horizontal axis. */
const markWidth = 95;

/** Lines over an axis, as SVG in the colours of the page. Its legend names the lines. */
export function LineChart({ label, lines, xMarks, yMarks }: LineChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(firstWidth);
  useEffect(() => {
    const place = box.current;
    if (place === null) return;
    const resized = new ResizeObserver(() => setWidth(Math.max(place.clientWidth, 200)));
    resized.observe(place);
    return () => resized.disconnect();
  }, []);
  const [left, right] = [xMarks[0]?.at ?? 0, xMarks.at(-1)?.at ?? 1];
  const top = yMarks.at(-1)?.at ?? 1;
  // On a narrow screen only the ends: words of other marks would overlap.
  const shownMarks =
    width / xMarks.length >= markWidth ? xMarks : xMarks.filter((_, n) => n === 0 || n === xMarks.length - 1);
  const inner = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom };
  const xOf = (x: number) => margin.left + ((x - left) / (right - left || 1)) * inner.width;
  const yOf = (y: number) => margin.top + inner.height - (y / (top || 1)) * inner.height;
  return (
    <figure className={styles['chart']}>
      <div ref={box}>
        <svg role="img" aria-label={label} width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
          {yMarks.map(({ at, words }) => (
            <g key={at}>
              <line
                className={styles['grid']}
                x1={margin.left}
                x2={width - margin.right}
                y1={yOf(at)}
                y2={yOf(at)}
              />
              <text className={styles['mark']} x={margin.left - 8} y={yOf(at) + 4} textAnchor="end">
                {words}
              </text>
            </g>
          ))}
          {shownMarks.map(({ at, words }, n) => (
            <text
              key={at}
              className={styles['mark']}
              x={xOf(at)}
              y={height - 6}
              textAnchor={n === 0 ? 'start' : n === shownMarks.length - 1 ? 'end' : 'middle'}
            >
              {words}
            </text>
          ))}
          {lines.map(({ id, colour, dash, points }) => (
            <path
              key={id}
              className={styles['line']}
              stroke={`var(${colour})`}
              strokeDasharray={dash.join(' ')}
              d={pathOf(points, xOf, yOf)}
            />
          ))}
        </svg>
      </div>
      <ul className={styles['legend']} aria-label="Lines of the chart">
        {lines.map(({ id, words, colour, dash }) => (
          <li key={id}>
            <svg className={styles['sample']} viewBox="0 0 32 8" aria-hidden="true">
              <line
                x1="0"
                y1="4"
                x2="32"
                y2="4"
                stroke={`var(${colour})`}
                strokeWidth="2.5"
                strokeDasharray={dash.join(' ')}
              />
            </svg>
            {words}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** The path of a line; a point that is not known interrupts it. */
function pathOf(
  points: readonly ChartPoint[],
  xOf: (x: number) => number,
  yOf: (y: number) => number,
): string {
  let path = '';
  let isDrawn = false;
  for (const { x, y } of points) {
    if (y === null) {
      isDrawn = false;
      continue;
    }
    const [at, value] = [xOf(x).toFixed(1), yOf(y).toFixed(1)];
    path += `${isDrawn ? 'L' : 'M'}${at} ${value}`;
    isDrawn = true;
  }
  return path;
}
