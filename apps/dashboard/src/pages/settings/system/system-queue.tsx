import type { System } from '@plimsoll/contract';
import { Panel } from '../../../design/page/page.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import type { Column } from '../../../design/table/table-columns.ts';

type Queue = System['queue']['queues'][number];

const columns: readonly Column<Queue>[] = [
  { id: 'name', header: 'Queue', cell: ({ name }) => name },
  { id: 'waiting', header: 'Waiting', align: 'end', cell: ({ waiting }) => waiting },
  { id: 'active', header: 'Active', align: 'end', cell: ({ active }) => active },
  { id: 'delayed', header: 'To retry', align: 'end', cell: ({ delayed }) => delayed },
];

/** The queues that wake the workers; the database holds the work itself. */
export function SystemQueue({ queues }: { readonly queues: System['queue']['queues'] }) {
  return (
    <Panel title="Queues" flush>
      <DataTable label="Queues" columns={columns} rows={queues} rowId={({ name }) => name} />
    </Panel>
  );
}
