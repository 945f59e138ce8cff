import type { Session } from '@plimsoll/contract';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import { useApiPages } from '../../api/pages.ts';
import { useApi, useChange } from '../../api/queries.ts';
import { session, useSession } from '../../api/session.ts';
import { ConfirmButton } from '../../design/dialog.tsx';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { Facts } from '../../design/page/facts.tsx';
import { Page, Panel } from '../../design/page/page.tsx';
import { Loaded } from '../../design/states.tsx';
import { EndlessTable } from '../../design/table/endless-table.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { toast } from '../../design/toasts.tsx';
import { SecondFactor } from './second-factor.tsx';
import { sessionColumns } from './session-columns.tsx';

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
      <SessionsPanel />
      <Panel title="Second factor">
        <SecondFactor />
      </Panel>
      <Panel title="Password">
        <Password />
      </Panel>
    </Page>
  );
}

/** A form for a new password, or what applies to a user without one. */
function Password() {
  const query = useApi('/auth/second-factor');
  return (
    <Loaded query={query} what="Loading how you sign in">
      {({ has_password, single_sign_on }) =>
        has_password ? <PasswordForm /> : <NoPassword provider={single_sign_on} />
      }
    </Loaded>
  );
}

function NoPassword({ provider }: { readonly provider: string | null }) {
  if (provider === null) {
    return <p>You have no password here. An administrator can set one under “Settings”, “Users”.</p>;
  }
  return (
    <p>
      You have no password here. You sign in with “
      <ForeignText text={provider} />
      ”: change your password there.
    </p>
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
  session.leave(true);
}

const pageRows = 100;

/** Where the user is signed in, with a way to end each session and all others. */
function SessionsPanel() {
  const own = useSession()?.user.id ?? '';
  const query = useApiPages('/sessions', pageRows, { query: { user_id: own } });
  const end = useChange((id: string) => api.delete('/sessions/{id}', { params: { id } }), ['/sessions']);
  const columns = useMemo(() => sessionColumns((row) => endOne(row, end.mutateAsync)), [end.mutateAsync]);
  return (
    <Panel title="Sessions" flush actions={<EndOthers />}>
      <Loaded query={query} what="Loading the sessions">
        {({ rows }) => (
          <EndlessTable label="Sessions" columns={columns} rows={rows} rowId={({ id }) => id} query={query} />
        )}
      </Loaded>
    </Panel>
  );
}

async function endOne({ id, current }: Session, end: (id: string) => Promise<unknown>): Promise<void> {
  try {
    await end(id);
  } catch (error) {
    toast.failed(error);
    return;
  }
  if (current) session.leave(true);
  else toast.done('The session has ended.');
}

function EndOthers() {
  const end = useChange(() => api.delete('/sessions', { query: { keep_current: 'true' } }), ['/sessions']);
  return (
    <ConfirmButton
      button="Sign out everywhere else"
      title="Sign out everywhere else?"
      confirm="Sign out everywhere else"
      onConfirm={() => end.mutateAsync()}
      done="All other sessions have ended."
    >
      <p>
        All your sessions but this one end at once: other browsers, and scripts that use a token of your
        account. API keys are not affected.
      </p>
    </ConfirmButton>
  );
}
