import type { TimeToPatchAnswer } from '@plimsoll/contract';
import { groupedNumber } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { DataTable } from '../../design/table/data-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { countInWords } from '../../words/knowledge.ts';
import { cohortWords, hoursWords } from './hours-words.ts';
import { rowsOfTimes, type Times } from './rows-of-times.ts';
import styles from './time-to-patch.module.css';

const days = ['3', '7', '14', '30', '90'] as const;

/** A row of shares. */
interface SharesRow {
  readonly id: string;
  readonly words: string;
  readonly times: Times;
  /** Whether all findings of the hosts are known; otherwise zero is not known to be zero. */
  readonly isKnown: boolean;
}

const columnsOf = (by: 'Severity' | 'Tag'): readonly Column<SharesRow>[] => [
  column('name', by, { cell: ({ words }) => words }),
  ...days.map((day) =>
    number(`within-${day}`, `Within ${day} days`, ({ times }) => cohortWords(times.cohorts[day])),
  ),
  number('median', 'Median of the closed', ({ times }) => hoursWords(times.median_hours)),
  number('p90', 'Nine in ten of the closed', ({ times }) => hoursWords(times.p90_hours)),
  number('closed', 'Closed', ({ times, isKnown }) => countInWords(times.closed, isKnown)),
  number('open', 'Open, with a fix', ({ times, isKnown }) => countInWords(times.open, isKnown)),
  number('unfixed', 'Open, no fix', ({ times, isKnown }) => countInWords(times.open_without_fix, isKnown)),
  number('waived', 'Waived', ({ times }) => groupedNumber(times.open_waived)),
  number('silent', 'On silent hosts', ({ times }) => groupedNumber(times.open_on_silent_hosts)),
];

function number(id: string, header: string, cell: (row: SharesRow) => string): Column<SharesRow> {
  return { id, header, align: 'end', cell };
}

/** Whether all findings of the hosts of an answer are known. */
export function areAllKnown({ findings_unknown_hosts, history_from, to }: TimeToPatchAnswer): boolean {
  return findings_unknown_hosts === 0 && history_from !== null && history_from < to;
}

/** The share closed within some days, a row each. */
export function Shares({
  rows,
  by,
}: {
  readonly rows: readonly SharesRow[];
  readonly by: 'Severity' | 'Tag';
}) {
  return (
    <DataTable
      label={by === 'Tag' ? 'Share patched by tag' : 'Share patched within days'}
      columns={columnsOf(by)}
      rows={rows}
      rowId={({ id }) => id}
    />
  );
}

/** The share closed within some days, by severity. */
export function ShareTable({ times }: { readonly times: TimeToPatchAnswer }) {
  const isKnown = areAllKnown(times);
  return (
    <Panel title="Share patched within" flush>
      <Shares rows={rowsOfTimes(times).map((row) => ({ ...row, isKnown }))} by="Severity" />
      <p className={styles['note']}>
        Of the findings that became fixable in the period: their fix was known here, and the host had the
        package. Those of which the days are not over yet are left out; older ones are in no share. A dash:{' '}
        {isKnown ? 'there are none' : 'none are known'}. Each advisory on a package counts by itself: other
        pages count a package once, so the numbers differ. What is waived now is neither patched nor late: it
        counts apart.
        {!isKnown && ' A question mark: none are known, but the findings of some hosts were not all known.'}
      </p>
    </Panel>
  );
}
