import type { TimeToPatchAnswer } from '@plimsoll/contract';
import chart from '../../design/chart/chart.module.css';
import { Panel } from '../../design/page/page.tsx';
import { DataTable } from '../../design/table/data-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { hoursWords } from './hours-words.ts';
import { rowsOfTimes, type Times, type TimesRow } from './rows-of-times.ts';
import styles from './time-to-patch.module.css';

type Stage = keyof Times['stages'];

const stages: readonly (readonly [stage: Stage, words: string, meaning: string])[] = [
  ['known', 'Published → known here', 'From the publication of the advisory until it was imported here.'],
  ['offered', 'Known → offered', "Until the host's repositories offered the fix."],
  ['installed', 'Offered → installed', 'Until a version without the flaw was installed.'],
  ['running', 'Installed → running', 'Until that version ran: after a restart or reboot.'],
];

const columns: readonly Column<TimesRow>[] = [
  column('severity', 'Severity', { cell: ({ words }) => words }),
  ...stages.map(
    ([stage, words]): Column<TimesRow> => ({
      id: stage,
      header: words,
      align: 'end',
      cell: ({ times }) => hoursWords(times.stages[stage]),
      sortBy: ({ times }) => times.stages[stage] ?? -1,
    }),
  ),
];

/** Where the days go: the median of each stage, as bars and as a table. */
export function Stages({ times }: { readonly times: TimeToPatchAnswer }) {
  const rows = rowsOfTimes(times);
  const longest = Math.max(1, ...rows.map(({ times: each }) => sumOf(each)));
  return (
    <Panel title="Where the days go">
      <div className={styles['stack']}>
        <div className={styles['bars']} aria-hidden>
          {rows.map(({ id, words, times: each }) => (
            <div key={id} className={styles['barRow']}>
              <span>{words}</span>
              {sumOf(each) === 0 ? (
                <span className={styles['muted']}>
                  {stages.every(([stage]) => each.stages[stage] === null) ? 'not known' : '0 h'}
                </span>
              ) : (
                <svg
                  className={styles['bar']}
                  viewBox="0 0 1000 20"
                  preserveAspectRatio="none"
                  aria-hidden="true"
                >
                  {partsOf(each, longest).map(({ stage, x, width }) => (
                    <rect key={stage} className={styles[stage]} x={x} y="0" width={width} height="20" />
                  ))}
                </svg>
              )}
            </div>
          ))}
          <ul className={chart['legend']}>
            {stages.map(([stage, words]) => (
              <li key={stage}>
                <svg className={styles['sample']} viewBox="0 0 16 16" aria-hidden="true">
                  <rect className={styles[stage]} width="16" height="16" />
                </svg>
                {words}
              </li>
            ))}
          </ul>
        </div>
        <DataTable label="Median time of each stage" columns={columns} rows={rows} rowId={({ id }) => id} />
        <dl className={styles['meanings']}>
          {stages.map(([stage, words, meaning]) => (
            <div key={stage}>
              <dt>{words}</dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <p className={styles['muted']}>
          Medians over closed findings of which both ends of a stage are known; a dash: of none. They do not
          add up to the median of the whole.
        </p>
      </div>
    </Panel>
  );
}

function sumOf({ stages: hours }: Times): number {
  return stages.reduce((sum, [stage]) => sum + (hours[stage] ?? 0), 0);
}

/** The stages side by side, in thousandths of the longest bar. */
function partsOf({ stages: hours }: Times, longest: number) {
  let x = 0;
  return stages.map(([stage]) => {
    const width = ((hours[stage] ?? 0) / longest) * 1000;
    x += width;
    return { stage, x: x - width, width };
  });
}
