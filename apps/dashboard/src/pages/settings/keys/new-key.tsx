import type { IssuedApiKey, User } from '@plimsoll/contract';
import { roleOptions, roleWords } from '@plimsoll/words';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { NumberField, Select, TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Notice } from '../../../design/notice.tsx';
import { CopyField } from '../../../design/text/copy-field.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import { limitIn, tagsIn } from '../../../words/tag-list.ts';
import { LimitField } from '../limit-field.tsx';
import styles from '../settings.module.css';

const dayMs = 24 * 3600 * 1000;

/** Creates an API key and shows its secret once. */
export function NewKey({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const [issued, setIssued] = useState<IssuedApiKey | null>(null);
  const close = () => {
    setIssued(null);
    onClose();
  };
  return (
    <Dialog title={issued === null ? 'New API key' : 'Your API key'} isOpen={isOpen} onClose={close}>
      {issued === null ? <KeyForm onIssued={setIssued} /> : <Secret issued={issued} onClose={close} />}
    </Dialog>
  );
}

function keyIn(values: FormData, role: User['role']) {
  const word = (name: string) => String(values.get(name) ?? '').trim();
  return {
    name: word('name'),
    role,
    tags: role === 'admin' ? null : limitIn(word('tags')),
    networks: tagsIn(word('networks')),
    expires_at: new Date(Date.now() + Number(word('days')) * dayMs).toISOString(),
  };
}

function KeyForm({ onIssued }: { readonly onIssued: (key: IssuedApiKey) => void }) {
  const [role, setRole] = useState<User['role']>('viewer');
  const may = { viewer: true, operator: useMay('operator'), admin: useMay('admin') };
  const issue = useChange(
    (values: FormData) => api.post('/api-keys', { body: keyIn(values, role) }),
    ['/api-keys'],
  );
  return (
    <Form submit="Create the key" onSubmit={async (values) => onIssued(await issue.mutateAsync(values))}>
      <TextField
        name="name"
        label="Name"
        maxLength={200}
        isRequired
        hint="What uses it. It is shown in the audit log."
      />
      <Select
        label="Role"
        value={role}
        onChange={setRole}
        options={roleOptions.filter(([option]) => may[option])}
        hint={`${roleWords[role].meaning} Never users, API keys and sign-in.`}
      />
      {role !== 'admin' && <LimitField who="key" />}
      <NumberField
        name="days"
        label="Valid for, in days"
        defaultValue={90}
        minValue={1}
        maxValue={400}
        isRequired
      />
      <TextField
        name="networks"
        label="Only from these addresses and networks"
        maxLength={1000}
        placeholder="192.0.2.7, 10.0.0.0/8"
        hint="Separate them with commas. Leave it empty for everywhere."
      />
    </Form>
  );
}

function Secret({ issued, onClose }: { readonly issued: IssuedApiKey; readonly onClose: () => void }) {
  return (
    <div className={styles['stack']}>
      <Notice tone="important">
        <p>The key is shown only once. Copy it now.</p>
      </Notice>
      <CopyField text={issued.key} what="key" />
      <p className={styles['muted']}>
        Send it in the header <code>Authorization: Bearer …</code>. Valid until{' '}
        <ExactTime at={issued.expires_at} />.
      </p>
      <div>
        <Button look="primary" onPress={onClose}>
          I have copied it
        </Button>
      </div>
    </div>
  );
}
