import type { IssuedInvitation, User } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Notice } from '../../../design/notice.tsx';
import { CopyField } from '../../../design/text/copy-field.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import { limitIn } from '../../../words/tag-list.ts';
import { LimitField } from '../limit-field.tsx';
import styles from '../settings.module.css';
import { RoleField } from './role-field.tsx';

/** Invites a user and shows the link once. */
export function InviteUser({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [issued, setIssued] = useState<IssuedInvitation | null>(null);
  const close = () => {
    setIssued(null);
    onClose();
  };
  const title = issued === null ? 'Invite a user' : 'Your invitation';
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      {issued === null ? <InviteForm onIssued={setIssued} /> : <InviteLink issued={issued} onClose={close} />}
    </Dialog>
  );
}

function InviteForm({ onIssued }: { readonly onIssued: (issued: IssuedInvitation) => void }) {
  const [role, setRole] = useState<User['role']>('viewer');
  const invite = useChange(
    (values: FormData) =>
      api.post('/users/invitations', {
        body: {
          email: String(values.get('email')).trim(),
          name: String(values.get('name')).trim(),
          role,
          tags: role === 'admin' ? null : limitIn(String(values.get('tags') ?? '')),
        },
      }),
    ['/users'],
  );
  const submit = async (values: FormData) => onIssued(await invite.mutateAsync(values));
  return (
    <Form submit="Create the link" onSubmit={submit}>
      <TextField name="email" label="E-mail" isRequired maxLength={254} autoComplete="off" />
      <TextField name="name" label="Name" maxLength={200} autoComplete="off" />
      <RoleField value={role} onChange={setRole} />
      {role !== 'admin' && <LimitField who="user" />}
    </Form>
  );
}

function InviteLink({
  issued,
  onClose,
}: {
  readonly issued: IssuedInvitation;
  readonly onClose: () => void;
}) {
  return (
    <div className={styles['stack']}>
      <Notice tone="important">
        <p>The link is shown only once. Send it to nobody but the person who is invited.</p>
      </Notice>
      <CopyField text={issued.url} what="link" />
      <p className={styles['muted']}>
        For <ForeignText text={issued.email} />, once, until <ExactTime at={issued.expires_at} />.
      </p>
      <div>
        <Button look="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </div>
  );
}
