import type { HostDetail } from '@plimsoll/contract';
import { CircleHelp } from 'lucide-react';
import { useMemo } from 'react';
import { useApi } from '../../../api/queries.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { DataTable } from '../../../design/table/data-table.tsx';
import { repositoryColumnsOf } from './repository-columns.tsx';

/** The host's copies of its repositories, and which of them are outdated. */
export function RepositoriesTab({ host }: { readonly host: HostDetail }) {
  const columns = useMemo(() => repositoryColumnsOf(host), [host]);
  const query = useApi('/hosts/{id}/repositories', { params: { id: host.id } });
  return (
    <Panel title="Repositories" flush>
      <Loaded query={query} what="Loading the repositories">
        {(copies) =>
          copies.length === 0 ? (
            <Empty title="Not known" icon={CircleHelp}>
              No report of this host names its repositories with their dates yet.
            </Empty>
          ) : (
            <DataTable label="Repositories" columns={columns} rows={copies} rowId={({ id }) => id} />
          )
        }
      </Loaded>
    </Panel>
  );
}
