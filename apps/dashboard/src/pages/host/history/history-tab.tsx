import type { HostDetail, SnapshotSummary } from '@plimsoll/contract';
import { modeWords } from '@plimsoll/words';
import { useApiPages } from '../../../api/pages.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ExactTime, Time } from '../../../design/time/time.tsx';
import { ChangesPanel } from '../changes/changes-panel.tsx';
import styles from '../host.module.css';
import { HostLink } from '../host-link.tsx';
import { MoreRows } from '../more-rows.tsx';

const pageRows = 50;

/** The snapshots of a host, and the changes between any two. */
export function HistoryTab({ host }: { readonly host: HostDetail }) {
  const query = useApiPages('/hosts/{id}/snapshots', pageRows, { params: { id: host.id } });
  return (
    <Loaded query={query} what="Loading the snapshots">
      {({ rows, total }) => {
        if (rows.length === 0) {
          return (
            <Panel title="Snapshots">
              <Empty title="No history yet">History starts with the first report of the host.</Empty>
            </Panel>
          );
        }
        return (
          <div className={styles['stack']}>
            <ChangesPanel host={host} snapshots={rows} />
            <Panel title="Snapshots" flush>
              <LongTable label="Snapshots" columns={snapshotColumns} rows={rows} rowId={({ id }) => id} />
              <MoreRows
                shown={rows.length}
                total={total}
                isPending={query.isFetchingNextPage}
                onMore={() => void query.fetchNextPage()}
              />
            </Panel>
          </div>
        );
      }}
    </Loaded>
  );
}

const kilobytes = new Intl.NumberFormat('en', { style: 'unit', unit: 'kilobyte', maximumFractionDigits: 1 });

/** Columns of a list of snapshots. */
const snapshotColumns: readonly Column<SnapshotSummary>[] = [
  column('received', 'Received', {
    width: '14rem',
    cell: ({ received_at, resolution }) => (
      <>
        <ExactTime at={received_at} />
        {resolution !== 'snapshot' && `, the last of its ${resolution}`}
      </>
    ),
    sortBy: ({ received_at }) => Date.parse(received_at),
  }),
  column('then', 'Findings', {
    width: '10rem',
    cell: ({ received_at }) => (
      <HostLink search={{ tab: 'vulnerable', at: received_at }}>Findings at that time</HostLink>
    ),
  }),
  column('since', 'Changes', {
    width: '10rem',
    cell: ({ id }) => <HostLink search={{ tab: 'history', from: id }}>Compare with latest</HostLink>,
  }),
  column('collected', 'Collected', {
    width: '10rem',
    from: 'medium',
    cell: ({ collected_at }) => (collected_at === null ? 'Not stated' : <Time at={collected_at} />),
  }),
  column('source', 'By', {
    width: '7rem',
    from: 'medium',
    cell: ({ source }) => modeWords[source],
    sortBy: ({ source }) => source,
  }),
  column('size', 'Size', {
    width: '7rem',
    align: 'end',
    from: 'medium',
    cell: ({ payload_size }) => kilobytes.format(payload_size / 1_000),
    sortBy: ({ payload_size }) => payload_size,
  }),
];
