import type { UserAccount } from '@plimsoll/contract';
import { noAccess } from '@plimsoll/words';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Confirm, Dialog } from '../../../design/dialog.tsx';
import { TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import { limitIn } from '../../../words/tag-list.ts';
import { LimitField } from '../limit-field.tsx';
import styles from '../settings.module.css';
import { PasswordField } from './password-field.tsx';
import { RemoveUser } from './remove-user.tsx';
import { RoleField } from './role-field.tsx';

interface UserDrawerProps {
  readonly user: UserAccount;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

function stateOf({ disabled, access_withdrawn_at }: UserAccount): string {
  if (disabled) return 'Disabled: cannot sign in';
  return access_withdrawn_at === null ? 'Active' : `No access: ${noAccess}`;
}

/** All actions of an administrator on a user. */
export function UserDrawer({ user, isOwn, onClose }: UserDrawerProps) {
  const title = <ForeignText text={user.email} />;
  return (
    <Dialog title={title} isOpen onClose={onClose} side>
      {isOwn && (
        <Notice tone="neutral">
          <p>This is your account. Changing the role or password signs you out.</p>
        </Notice>
      )}
      <Facts
        facts={[
          ['State', stateOf(user)],
          [
            'Signs in by',
            user.provider === null ? 'Password' : <ForeignText key="provider" text={user.provider} oneLine />,
          ],
          ['Last sign-in', <Time key="last" at={user.last_login_at} />],
          ['Since', <Time key="since" at={user.created_at} />],
        ]}
      />
      {user.provider !== null && (
        <Notice tone="neutral">
          <p>
            Name, e-mail address and role come from the provider at each sign-in. Changes here last until
            then.
          </p>
        </Notice>
      )}
      <section className={styles['aside']} aria-label="Name and role">
        <EditUser user={user} />
      </section>
      <section className={styles['aside']} aria-label="Password">
        <SetPassword user={user} />
      </section>
      <section className={styles['aside']} aria-label="Second factor">
        <ResetSecondFactor user={user} />
      </section>
      <section className={styles['aside']} aria-label="Access">
        <RemoveUser user={user} onDeleted={onClose} />
      </section>
    </Dialog>
  );
}

/** Sets a new password for a user whose password is forgotten or leaked. */
function SetPassword({ user }: { readonly user: UserAccount }) {
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

/** Removes the second factors of a user who lost them. */
function ResetSecondFactor({ user: { id, email, has_second_factor } }: { readonly user: UserAccount }) {
  const [isAsking, setIsAsking] = useState(false);
  const reset = useChange(() => api.delete('/users/{id}/second-factor', { params: { id } }), ['/users']);
  return (
    <>
      <h3>Second factor</h3>
      {has_second_factor ? (
        <div>
          <Button onPress={() => setIsAsking(true)}>Reset the second factor</Button>
        </div>
      ) : (
        <p>This user signs in without one.</p>
      )}
      <Confirm
        title="Reset the second factor?"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirm="Reset the second factor"
        onConfirm={() => reset.mutateAsync()}
        done="The second factor is removed. The user is signed out everywhere."
      >
        <p>
          <ForeignText text={email} oneLine /> is signed out everywhere, and then signs in with the password
          alone. Make sure that the request comes from this person.
        </p>
      </Confirm>
    </>
  );
}

/** Changes the name, role and tags of a user. */
function EditUser({ user }: { readonly user: UserAccount }) {
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
