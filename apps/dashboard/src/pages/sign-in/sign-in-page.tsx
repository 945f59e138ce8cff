import { useNavigate, useSearch } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { session } from '../../api/session.ts';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { placeWithin } from '../../shell/text-search.ts';
import { Entrance } from './entrance.tsx';

/** Lets a user in, and back to where they were when their session ended. */
export function SignInPage() {
  const { back, expired } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const signIn = async (values: FormData) => {
    const signedIn = await api.post('/auth/login', {
      body: { email: String(values.get('email')), password: String(values.get('password')) },
    });
    // What another user has read is not for this one.
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
