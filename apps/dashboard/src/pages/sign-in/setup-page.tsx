import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { apiQuery } from '../../api/queries.ts';
import { session } from '../../api/session.ts';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { Entrance } from './entrance.tsx';
import { NewPasswordFields, newPassword } from './new-password-fields.tsx';

/** Creates the first user of a new installation. */
export function SetupPage() {
  const navigate = useNavigate();
  const status = useQuery({ ...apiQuery('/setup/status'), retry: false });
  const asksForCode = status.data?.setup_code_required === true;
  const setUp = async (values: FormData) => {
    session.begin(await api.post('/setup/complete', { body: firstUser(values) }));
    await navigate({ to: '/', replace: true });
  };
  return (
    <Entrance
      title="Welcome to Plimsoll"
      lead="Create the first user. It is an administrator and can add other users."
    >
      <Form submit="Create admin account" onSubmit={setUp}>
        {asksForCode && (
          <TextField
            name="setup_code"
            label="Setup code"
            type="password"
            autoComplete="off"
            isRequired
            hint="The code that was set as api.setup_code on the server."
          />
        )}
        <TextField name="name" label="Name" autoComplete="name" />
        <TextField name="email" label="E-mail" type="email" autoComplete="username" isRequired />
        <NewPasswordFields />
      </Form>
    </Entrance>
  );
}

function firstUser(values: FormData) {
  const name = String(values.get('name')).trim();
  return {
    email: String(values.get('email')),
    password: newPassword(values),
    refresh_cookie: true as const,
    ...(name !== '' && { name }),
    ...(values.has('setup_code') && { setup_code: String(values.get('setup_code')) }),
  };
}
