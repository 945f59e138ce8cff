import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { apiQuery } from '../../api/queries.ts';
import { session } from '../../api/session.ts';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { Entrance } from './entrance.tsx';

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
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="new-password"
          minLength={12}
          isRequired
          hint="At least 12 characters. Common passwords and your own name are refused."
        />
        <TextField
          name="repeated"
          label="Confirm password"
          type="password"
          autoComplete="new-password"
          isRequired
        />
      </Form>
    </Entrance>
  );
}

function firstUser(values: FormData) {
  const password = String(values.get('password'));
  if (password !== values.get('repeated')) throw new Error('The passwords do not match.');
  const name = String(values.get('name')).trim();
  return {
    email: String(values.get('email')),
    password,
    ...(name !== '' && { name }),
    ...(values.has('setup_code') && { setup_code: String(values.get('setup_code')) }),
  };
}
