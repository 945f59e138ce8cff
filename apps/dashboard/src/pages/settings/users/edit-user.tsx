import type { UserAccount } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { toast } from '../../../design/toasts.tsx';
import { limitIn } from '../../../words/tag-list.ts';
import { LimitField } from '../limit-field.tsx';
import { RoleField } from './role-field.tsx';

/** Changes the name, role and tags of a user. */
export function EditUser({ user }: { readonly user: UserAccount }) {
  const [role, setRole] = useState(user.role);
  const save = useChange(
    (values: FormData) =>
      api.patch('/users/{id}', {
        params: { id: user.id },
        body: {
          email: String(values.get('email')).trim(),
          name: String(values.get('name')).trim(),
          role,
          ...tagsIn(user, role, values),
        },
      }),
    ['/users'],
  );
  const submit = async (values: FormData) => {
    await save.mutateAsync(values);
    toast.done('The user is saved.');
  };
  return (
    <Form submit="Save" onSubmit={submit}>
      <h3>Name, role and hosts</h3>
      <TextField name="email" label="E-mail" defaultValue={user.email} isRequired maxLength={254} />
      <TextField name="name" label="Name" defaultValue={user.name} maxLength={200} />
      <RoleField value={role} onChange={setRole} />
      {role !== 'admin' && <LimitField tags={user.tags} who="user" />}
      {role !== user.role && <p>Changing the role signs the user out everywhere.</p>}
    </Form>
  );
}

/** The new limit of a user; nothing if the field was not changed, so that a tag with a comma stays one tag. */
function tagsIn(user: UserAccount, role: UserAccount['role'], values: FormData) {
  if (role === 'admin') return { tags: null };
  const text = String(values.get('tags') ?? '');
  return text === (user.tags?.join(', ') ?? '') ? {} : { tags: limitIn(text) };
}
