import type { System } from '@plimsoll/contract';
import { Panel } from '../../../design/page/page.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { Time } from '../../../design/time/time.tsx';

type Work = System['work'][number];

const words: Readonly<Record<Work['work'], string>> = {
  parse: 'Uploads to parse',
  match: 'Snapshots to match',
  pull: 'Pulls in progress',
  import: 'Imports in progress',
};

const columns: readonly Column<Work>[] = [
  column('work', 'Work', { cell: ({ work }) => words[work] }),
  column('waiting', 'Waiting', { align: 'end', cell: ({ waiting }) => waiting }),
  column('oldest', 'Oldest', {
    cell: ({ oldest_at }) => (oldest_at === null ? '–' : <Time at={oldest_at} />),
  }),
];

/** Work that is waiting. */
export function SystemWork({ work }: { readonly work: System['work'] }) {
  return (
    <Panel title="Work waiting" flush>
      <DataTable label="Work waiting" columns={columns} rows={work} rowId={({ work: name }) => name} />
    </Panel>
  );
}
