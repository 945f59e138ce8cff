import type { HostDetail } from '@plimsoll/contract';
import { useApiPages } from '../../../api/pages.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { MoreRows } from '../more-rows.tsx';
import { uploadColumns } from './upload-columns.tsx';

const pageRows = 25;

/** The uploads of a host with their state. */
export function UploadsTab({ host }: { readonly host: HostDetail }) {
  const query = useApiPages('/hosts/{id}/uploads', pageRows, { params: { id: host.id } });
  return (
    <Panel title="Uploads" flush>
      <Loaded query={query} what="Loading the uploads">
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Empty title="No uploads yet">
              Every upload of the host is listed here, also those that were rejected.
            </Empty>
          ) : (
            <>
              <DataTable label="Uploads" columns={uploadColumns} rows={rows} rowId={({ id }) => id} />
              <MoreRows
                shown={rows.length}
                total={total}
                isPending={query.isFetchingNextPage}
                onMore={() => void query.fetchNextPage()}
              />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
