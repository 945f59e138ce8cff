import type { TimeToPatchAnswer } from '@plimsoll/contract';
import { groupedNumber } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { DataTable } from '../../design/table/data-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { countInWords } from '../../words/knowledge.ts';
import { hoursWords, shareWords } from './hours-words.ts';
import { rowsOfTimes, type Times, type TimesRow } from './rows-of-times.ts';
import styles from './time-to-patch.module.css';

const days = ['3', '7', '14', '30', '90'] as const;

/** `isKnown`: whether all findings of the hosts are known; otherwise zero is not known to be zero. */
const columnsOf = (isKnown: boolean): readonly Column<TimesRow>[] => [
  column('severity', 'Severity', { cell: ({ words }) => words }),
  ...days.map(
    (day): Column<TimesRow> => ({
      id: `within-${day}`,
      header: `Within ${day} days`,
      align: 'end',
      cell: ({ times }) => shareWords(times.within[day]),
    }),
  ),
  number('median', 'Median of the closed', (times) => hoursWords(times.median_hours)),
  number('p90', 'Nine in ten of the closed', (times) => hoursWords(times.p90_hours)),
  number('closed', 'Closed', (times) => countInWords(times.closed, isKnown)),
  number('open', 'Open, with a fix', (times) => countInWords(times.open, isKnown)),
  number('unfixed', 'Open, no fix', (times) => countInWords(times.open_without_fix, isKnown)),
  number('waived', 'Waived', (times) => groupedNumber(times.open_waived)),
  number('silent', 'On silent hosts', (times) => groupedNumber(times.open_on_silent_hosts)),
];

function number(id: string, header: string, words: (times: Times) => string): Column<TimesRow> {
  return { id, header, align: 'end', cell: ({ times }) => words(times) };
}

/** The share closed within some days, by severity. */
export function ShareTable({ times }: { readonly times: TimeToPatchAnswer }) {
  const { history_from, to } = times;
  const isKnown = times.findings_unknown_hosts === 0 && history_from !== null && history_from < to;
  return (
    <Panel title="Share patched within" flush>
      <DataTable
        label="Share patched within days"
        columns={columnsOf(isKnown)}
        rows={rowsOfTimes(times)}
        rowId={({ id }) => id}
      />
      <p className={styles['note']}>
        Of the findings closed in the period and those with a fix that are open for longer. A dash:{' '}
        {isKnown ? 'there are none' : 'none are known'}. Findings count from when the host had the package and
        it was known here to be affected, and each advisory on a package counts by itself: other pages count a
        package once, so the numbers differ. What is waived now is neither patched nor late: it counts apart.
        {!isKnown && ' A question mark: none are known, but the findings of some hosts were not all known.'}
      </p>
    </Panel>
  );
}
