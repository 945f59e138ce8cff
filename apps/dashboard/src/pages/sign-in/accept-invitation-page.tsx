import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { queryClient } from '../../api/queries.ts';
import { session } from '../../api/session.ts';
import { LinkButton } from '../../design/button.tsx';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { Entrance } from './entrance.tsx';
import { NewPasswordFields, newPassword } from './new-password-fields.tsx';

/** Lets an invited person choose a password. The token is behind the `#` of the address, which no server gets. */
export function AcceptInvitationPage() {
  const navigate = useNavigate();
  const [token] = useState(() => location.hash.slice(1));
  // The token is neither in the history nor visible on a shared screen.
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  const accept = async (values: FormData) => {
    const started = await api.post('/auth/accept-invitation', { body: acceptance(token, values) });
    queryClient.clear();
    session.begin(started);
    await navigate({ to: '/', replace: true });
  };
  if (!token.startsWith('pli_')) return <NoToken />;
  return (
    <Entrance
      title="Accept your invitation"
      lead="Choose a password. You are then signed in with the e-mail address that was invited."
    >
      <Form submit="Create my account" onSubmit={accept}>
        <TextField name="name" label="Name" autoComplete="name" maxLength={200} />
        <NewPasswordFields />
      </Form>
    </Entrance>
  );
}

function NoToken() {
  return (
    <Entrance title="Accept your invitation" lead="This address lacks the end of the link.">
      <Notice tone="important">
        <p>Open the whole link that you received. It works once: afterwards, sign in.</p>
      </Notice>
      <LinkButton to="/sign-in">Sign in</LinkButton>
    </Entrance>
  );
}

function acceptance(token: string, values: FormData) {
  const name = String(values.get('name')).trim();
  return {
    token,
    password: newPassword(values),
    refresh_cookie: true as const,
    ...(name !== '' && { name }),
  };
}
