import type { System } from '@plimsoll/contract';
import { Badge } from '../../../design/badge.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';

type Round = System['rounds'][number];

const states = {
  failing: {
    order: 0,
    tone: 'critical',
    words: 'Failing',
    meaning: 'Its last run failed. It is tried again.',
  },
  late: { order: 1, tone: 'important', words: 'Late', meaning: 'It should have succeeded again by now.' },
  never: { order: 2, tone: 'moderate', words: 'Never ran', meaning: 'No process has run it yet.' },
  ok: { order: 3, tone: 'good', words: 'Works', meaning: 'Its last run succeeded.' },
} as const satisfies Record<Round['state'], object>;

const columns: readonly Column<Round>[] = [
  column('name', 'Round', { cell: ({ name }) => name, sortBy: ({ name }) => name }),
  column('state', 'State', {
    cell: ({ state }) => (
      <Badge tone={states[state].tone} title={states[state].meaning}>
        {states[state].words}
      </Badge>
    ),
    sortBy: ({ state }) => states[state].order,
  }),
  column('ok', 'Last success', {
    cell: ({ last_ok_at }) => (
      <span className={styles['short']}>{last_ok_at === null ? 'Never' : <Time at={last_ok_at} />}</span>
    ),
    sortBy: ({ last_ok_at }) => last_ok_at ?? '',
  }),
  column('error', 'Last error', {
    cell: ({ last_error }) =>
      last_error === null ? (
        '–'
      ) : (
        <span className={styles['text']}>
          <Time at={last_error.at} />: <ForeignText text={last_error.message} />
        </span>
      ),
  }),
];

/** What the service repeats by itself: what fails, is late or never ran comes first. */
export function SystemRounds({ rounds }: { readonly rounds: System['rounds'] }) {
  const rows = [...rounds].sort((a, b) => states[a.state].order - states[b.state].order);
  return (
    <Panel title="Rounds" flush>
      <DataTable label="Rounds" columns={columns} rows={rows} rowId={({ name }) => name} />
    </Panel>
  );
}
