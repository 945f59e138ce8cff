import { useNavigate, useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { session } from '../../api/session.ts';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { placeWithin } from '../../shell/text-search.ts';
import { Entrance } from './entrance.tsx';

/** Signs a user in and returns to the page where the session expired. */
export function SignInPage() {
  const { back, expired } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const signIn = async (values: FormData) => {
    const signedIn = await api.post('/auth/login', {
      body: { email: String(values.get('email')), password: String(values.get('password')) },
    });
    // Clears the cache: it may hold another user's data.
    queryClient.clear();
    session.begin(signedIn);
    await navigate({ href: placeWithin(back) ?? '/', replace: true });
  };
  return (
    <Entrance title="Sign in" lead="The patch state of every Linux server you run.">
      {expired !== undefined && <Notice tone="neutral">Your session has ended. Sign in to continue.</Notice>}
      <Form submit="Sign in" onSubmit={signIn}>
        <TextField name="email" label="E-mail" type="email" autoComplete="username" isRequired autoFocus />
        <TextField
          name="password"
          label="Password"
          type="password"
          autoComplete="current-password"
          isRequired
        />
      </Form>
    </Entrance>
  );
}
