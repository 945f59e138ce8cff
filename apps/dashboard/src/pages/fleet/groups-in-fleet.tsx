import { useApi } from '../../api/queries.ts';
import { LinkButton } from '../../design/button.tsx';
import { Panel } from '../../design/page/page.tsx';
import { DataTable } from '../../design/table/data-table.tsx';
import { groupNumberColumns } from '../groups/group-columns.tsx';

/** The fleet by groups; nothing without a group. */
export function GroupsInFleet() {
  const { data: groups = [] } = useApi('/groups');
  if (groups.length === 0) return null;
  return (
    <Panel title="By group" flush actions={<LinkButton to="/groups">All groups</LinkButton>}>
      <DataTable label="Groups" columns={groupNumberColumns} rows={groups} rowId={({ id }) => id} />
    </Panel>
  );
}
