import type { UserAccount } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Form } from '../../../design/form/form.tsx';
import { toast } from '../../../design/toasts.tsx';
import { PasswordField } from './password-field.tsx';

/** Sets a new password for a user whose password is forgotten or leaked. */
export function SetPassword({ user }: { readonly user: UserAccount }) {
  const [times, setTimes] = useState(0);
  const save = useChange(
    (values: FormData) =>
      api.patch('/users/{id}', {
        params: { id: user.id },
        body: { password: String(values.get('password')) },
      }),
    ['/users'],
  );
  const submit = async (values: FormData) => {
    await save.mutateAsync(values);
    toast.done('The password is set. The user is signed out everywhere.');
    setTimes(times + 1);
  };
  return (
    // Another key empties the field.
    <Form key={times} submit="Set the password" onSubmit={submit}>
      <h3>Password</h3>
      <PasswordField label="New password" />
    </Form>
  );
}
