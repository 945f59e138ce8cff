import type { User } from '@plimsoll/contract';
import { Mail, Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api } from '../../../api/client.ts';
import { useApiPages } from '../../../api/pages.ts';
import { useChange } from '../../../api/queries.ts';
import { useSession } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { EndlessTable } from '../../../design/table/endless-table.tsx';
import { toast } from '../../../design/toasts.tsx';
import { limitIn } from '../../../words/tag-list.ts';
import { LimitField } from '../limit-field.tsx';
import { useSettingsSearch } from '../settings-search.ts';
import { InviteUser } from './invite-user.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { PasswordField } from './password-field.tsx';
import { RoleField } from './role-field.tsx';
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

/** Adds a user. */
function AddUser({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  return (
    <Dialog title="Add a user" isOpen={isOpen} onClose={onClose}>
      <AddUserForm onDone={onClose} />
    </Dialog>
  );
}

function AddUserForm({ onDone }: { readonly onDone: () => void }) {
  const [role, setRole] = useState<User['role']>('viewer');
  const add = useChange(
    (values: FormData) =>
      api.post('/users', {
        body: {
          email: String(values.get('email')).trim(),
          name: String(values.get('name')).trim(),
          password: String(values.get('password')),
          role,
          tags: role === 'admin' ? null : limitIn(String(values.get('tags') ?? '')),
        },
      }),
    ['/users'],
  );
  const submit = async (values: FormData) => {
    const { email } = await add.mutateAsync(values);
    toast.done(`${email} can now sign in.`);
    onDone();
  };
  return (
    <Form submit="Add the user" onSubmit={submit}>
      <TextField name="email" label="E-mail" isRequired maxLength={254} autoComplete="off" />
      <TextField name="name" label="Name" maxLength={200} autoComplete="off" />
      <RoleField value={role} onChange={setRole} />
      {role !== 'admin' && <LimitField who="user" />}
      <PasswordField label="Temporary password" />
    </Form>
  );
}
