import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { session } from '../../api/session.ts';
import { TextField } from '../../design/fields.tsx';
import { Form } from '../../design/form.tsx';
import { Entrance } from './entrance.tsx';

/** Makes the first user of a new installation. */
export function SetupPage() {
  const navigate = useNavigate();
  const setUp = async (values: FormData) => {
    const password = String(values.get('password'));
    if (password !== values.get('repeated')) throw new Error('The passwords do not match.');
    const name = String(values.get('name')).trim();
    const signedIn = await api.post('/setup/complete', {
      body: { email: String(values.get('email')), password, ...(name !== '' && { name }) },
    });
    session.begin(signedIn);
    await navigate({ to: '/', replace: true });
  };
  return (
    <Entrance
      title="Welcome to Plimsoll"
      lead="Create the first user. It is an administrator and can add other users."
    >
      <Form submit="Create admin account" onSubmit={setUp}>
        <TextField name="name" label="Name" autoComplete="name" />
        <TextField name="email" label="E-mail" type="email" autoComplete="username" isRequired />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="new-password"
          minLength={12}
          isRequired
          hint="At least 12 characters."
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
