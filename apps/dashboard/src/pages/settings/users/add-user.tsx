import type { User } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Dialog } from '../../../design/dialog.tsx';
import { TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { toast } from '../../../design/toasts.tsx';
import { limitIn } from '../../../words/tag-list.ts';
import { LimitField } from '../limit-field.tsx';
import { PasswordField } from './password-field.tsx';
import { RoleField } from './role-field.tsx';

/** Adds a user. */
export function AddUser({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
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
