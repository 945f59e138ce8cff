import type { HostDetail } from '@plimsoll/contract';
import { useApiPages } from '../../../api/pages.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import { ChangesPanel } from '../changes/changes-panel.tsx';
import styles from '../host.module.css';
import { MoreRows } from '../more-rows.tsx';
import { snapshotColumns } from './snapshot-columns.tsx';

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
