import type { TimeToPatchAnswer } from '@plimsoll/contract';
import { groupedNumber } from '../../design/number-words.ts';
import { Panel } from '../../design/page/page.tsx';
import { DataTable } from '../../design/table/data-table.tsx';
import { type Column, column } from '../../design/table/table-columns.ts';
import { rowsOfTimes, type Times, type TimesRow } from './rows-of-times.ts';
import styles from './time-to-patch.module.css';

type Cause = keyof Times['ended_otherwise'];

const causes: readonly (readonly [cause: Cause, words: string])[] = [
  ['advisory_changed', 'Advisory changed'],
  ['advisory_withdrawn', 'Advisory withdrawn'],
  ['advisory_published', 'Replaced by a new advisory'],
  ['source_changed', 'Another source counts'],
  ['rules_changed', 'Judged differently'],
];

const columns: readonly Column<TimesRow>[] = [
  column('severity', 'Severity', { cell: ({ words }) => words }),
  ...causes.map(
    ([cause, words]): Column<TimesRow> => ({
      id: cause,
      header: words,
      align: 'end',
      cell: ({ times }) => groupedNumber(times.ended_otherwise[cause]),
      sortBy: ({ times }) => times.ended_otherwise[cause],
    }),
  ),
];

/** Findings that ended without a change on the host. */
export function OtherEnds({ times }: { readonly times: TimeToPatchAnswer }) {
  return (
    <Panel title="Ended otherwise" flush>
      <DataTable
        label="Findings that ended otherwise"
        columns={columns}
        rows={rowsOfTimes(times)}
        rowId={({ id }) => id}
      />
      <p className={styles['note']}>
        Findings that a change of what is known ended, not a change on the host. They never count as patched.
      </p>
    </Panel>
  );
}
