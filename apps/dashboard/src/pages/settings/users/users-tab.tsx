import { Mail, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useApiPages } from '../../../api/pages.ts';
import { useSession } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { EndlessTable } from '../../../design/table/endless-table.tsx';
import { useSettingsSearch } from '../use-settings-search.ts';
import { AddUser } from './add-user.tsx';
import { InviteUser } from './invite-user.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { userColumns } from './user-columns.tsx';
import { UserDrawer } from './user-drawer.tsx';

const pageRows = 100;

/** The users that can sign in. */
export function UsersTab() {
  const [isAdding, setIsAdding] = useState(false);
  const [isInviting, setIsInviting] = useState(false);
  const [{ user: selected }, change] = useSettingsSearch();
  const own = useSession()?.user.id ?? '';
  const query = useApiPages('/users', pageRows);
  const columns = useMemo(() => userColumns({ own, onOpen: (id) => change({ user: id }) }), [own, change]);
  const shown = query.data?.rows.find(({ id }) => id === selected);
  return (
    <>
      <Panel
        title="Users"
        flush
        actions={
          <>
            <Button onPress={() => setIsInviting(true)}>
              <Mail aria-hidden /> Invite a user
            </Button>
            <Button look="primary" onPress={() => setIsAdding(true)}>
              <Plus aria-hidden /> Add a user
            </Button>
          </>
        }
      >
        <Loaded query={query} what="Loading the users">
          {({ rows }) => (
            <EndlessTable label="Users" columns={columns} rows={rows} rowId={({ id }) => id} query={query} />
          )}
        </Loaded>
      </Panel>
      <OpenInvitations />
      <InviteUser isOpen={isInviting} onClose={() => setIsInviting(false)} />
      <AddUser isOpen={isAdding} onClose={() => setIsAdding(false)} />
      {shown !== undefined && (
        <UserDrawer user={shown} isOwn={shown.id === own} onClose={() => change({ user: '' })} />
      )}
    </>
  );
}
