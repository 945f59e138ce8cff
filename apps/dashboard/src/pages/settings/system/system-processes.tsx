import type { System } from '@plimsoll/contract';
import { useMemo } from 'react';
import { Badge } from '../../../design/badge.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty } from '../../../design/states.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';

type Instance = System['instances'][number];

interface SystemProcessesProps {
  readonly instances: System['instances'];
  /** Version of the API; a process with another version was left by an upgrade. */
  readonly version: string;
}

/** The processes of the service, alive or not. */
export function SystemProcesses({ instances, version }: SystemProcessesProps) {
  const columns = useMemo(() => columnsFor(version), [version]);
  return (
    <Panel title="Processes" flush>
      {instances.length === 0 ? (
        <Empty title="No process reported in the last day">
          Each process reports every 15 seconds. After a start, wait a moment.
        </Empty>
      ) : (
        <DataTable label="Processes" columns={columns} rows={instances} rowId={({ id }) => id} />
      )}
    </Panel>
  );
}

const processColumns: readonly Column<Instance>[] = [
  column('app', 'App', { cell: ({ app }) => app, sortBy: ({ app }) => app }),
  column('alive', 'State', {
    cell: ({ alive }) =>
      alive ? (
        <Badge tone="good">Running</Badge>
      ) : (
        <Badge tone="critical" title="No report for 45 seconds, and it did not stop normally.">
          Gone
        </Badge>
      ),
    sortBy: ({ alive }) => Number(alive),
  }),
  column('where', 'Where', {
    cell: ({ hostname, pid }) => (
      <span className={styles['text']}>
        <ForeignText text={`${hostname}, process ${pid}`} oneLine />
      </span>
    ),
    sortBy: ({ hostname }) => hostname,
  }),
  column('seen', 'Last report', {
    cell: ({ last_seen_at }) => (
      <span className={styles['short']}>
        <Time at={last_seen_at} />
      </span>
    ),
    sortBy: ({ last_seen_at }) => last_seen_at,
  }),
  column('started', 'Started', {
    from: 'medium',
    cell: ({ started_at }) => (
      <span className={styles['short']}>
        <Time at={started_at} />
      </span>
    ),
    sortBy: ({ started_at }) => started_at,
  }),
];

function columnsFor(version: string): readonly Column<Instance>[] {
  return [
    ...processColumns,
    column('version', 'Version', {
      from: 'medium',
      cell: ({ version: its }) =>
        its === version ? its : <Badge tone="moderate">{`${its}, not ${version}`}</Badge>,
      sortBy: ({ version: its }) => its,
    }),
  ];
}
