import type { System } from '@plimsoll/contract';
import { CircleCheck, CircleHelp, OctagonAlert, TriangleAlert } from 'lucide-react';
import { Badge } from '../../../design/badge.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import styles from '../settings.module.css';

type Check = System['checks'][number];

const states = {
  fault: { tone: 'critical', icon: OctagonAlert, words: 'Fault' },
  warning: { tone: 'important', icon: TriangleAlert, words: 'Warning' },
  unknown: { tone: 'moderate', icon: CircleHelp, words: 'Not known' },
  ok: { tone: 'good', icon: CircleCheck, words: 'OK' },
} as const satisfies Record<Check['state'], object>;

const columns: readonly Column<Check>[] = [
  column('name', 'Check', { cell: ({ name }) => name }),
  column('state', 'State', {
    cell: ({ state }) => (
      <Badge tone={states[state].tone} icon={states[state].icon}>
        {states[state].words}
      </Badge>
    ),
  }),
  column('says', 'What was found', {
    cell: ({ says, do: remedy }) => (
      <span className={styles['text']}>
        {says} {remedy !== null && <strong>{remedy}</strong>}
      </span>
    ),
  }),
];

/** What the API checks by itself, worst first as it answers, and what only the command line can see. */
export function SystemChecks({ checks }: { readonly checks: System['checks'] }) {
  return (
    <Panel title="Checks" flush>
      <DataTable label="Checks" columns={columns} rows={checks} rowId={({ name }) => name} />
      <p className={styles['muted']}>
        Not visible from here: settings, Node.js, ports, modes of files, roles of other apps, servers of feeds
        and the disks of logs and backups. Run <code>plimsoll doctor</code> on the machine.
      </p>
    </Panel>
  );
}
