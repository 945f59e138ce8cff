import { useApi } from '../../api/queries.ts';
import { LinkButton } from '../../design/button.tsx';
import { Page, Panel } from '../../design/page/page.tsx';
import { Empty, Loaded } from '../../design/states.tsx';
import { DataTable } from '../../design/table/data-table.tsx';
import { KevLimit } from '../../words/kev-limit.tsx';
import { groupColumns } from './group-columns.tsx';

/** The saved selections of hosts, with the numbers of their hosts. */
export function GroupsPage() {
  const query = useApi('/groups');
  return (
    <Page
      title="Groups"
      lead="Saved selections of hosts. Each number counts the hosts that you can see now, and leads to their list."
    >
      <KevLimit />
      <Panel title="Groups" flush>
        <Loaded query={query} what="Loading the groups">
          {(groups) =>
            groups.length === 0 ? (
              <Empty title="No groups yet" action={<LinkButton to="/hosts">Go to the hosts</LinkButton>}>
                Filter the list of hosts, then choose “Save as group”.
              </Empty>
            ) : (
              <DataTable label="Groups" columns={groupColumns} rows={groups} rowId={({ id }) => id} />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}
