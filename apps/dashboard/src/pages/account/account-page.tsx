import { api } from '../../api/client.ts';
import { session, useSession } from '../../api/session.ts';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { Facts } from '../../design/page/facts.tsx';
import { Page, Panel } from '../../design/page/page.tsx';
import { toast } from '../../design/toasts.tsx';

/** Profile of the signed-in user, with a form for a new password. */
export function AccountPage() {
  const user = useSession()?.user;
  return (
    <Page title="Your account">
      <Panel title="Profile">
        <Facts
          facts={[
            ['Name', user?.name === '' ? '–' : user?.name],
            ['E-mail', user?.email],
            ['Role', user?.role],
          ]}
        />
      </Panel>
      <Panel title="Change your password">
        <PasswordForm />
      </Panel>
    </Page>
  );
}

function PasswordForm() {
  return (
    <Form submit="Change password" onSubmit={changePassword}>
      <p>This signs you out on all devices.</p>
      <TextField
        name="current"
        label="Current password"
        type="password"
        autoComplete="current-password"
        isRequired
      />
      <TextField
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        minLength={12}
        isRequired
        hint="At least 12 characters."
      />
      <TextField
        name="repeated"
        label="Confirm new password"
        type="password"
        autoComplete="new-password"
        isRequired
      />
    </Form>
  );
}

async function changePassword(values: FormData): Promise<void> {
  const password = String(values.get('password'));
  if (password !== values.get('repeated')) throw new Error('The new passwords do not match.');
  await api.post('/auth/password', {
    body: { current_password: String(values.get('current')), new_password: password },
  });
  toast.done('Your password is changed. Sign in with the new one.');
  session.leave();
}
