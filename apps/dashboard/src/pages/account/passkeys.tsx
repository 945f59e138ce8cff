import type { Passkey } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { hasPasskeys, makePasskey } from '../../api/passkeys.ts';
import { useChange } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { ConfirmButton, Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { Time } from '../../design/time/time.tsx';
import { toast } from '../../design/toasts.tsx';
import styles from './account.module.css';

// The first factor ends other sessions.
const changes = ['/auth/second-factor', '/sessions'];

interface PasskeysProps {
  readonly passkeys: readonly Passkey[];
  /** Why this service can have none; null if it can. */
  readonly refused: string | null;
  /** Gets the recovery codes of the first factor. */
  readonly onCodes: (codes: readonly string[] | null) => void;
}

/** Adds and removes the user's passkeys. */
export function Passkeys({ passkeys, refused, onCodes }: PasskeysProps) {
  const [isAdding, setIsAdding] = useState(false);
  const why = refused ?? (hasPasskeys() ? null : 'This browser can use no passkeys on this page.');
  return (
    <div className={styles['part']}>
      <h3>Passkeys</h3>
      <p>A passkey is a key in your device, password manager or security key. It works on this site alone.</p>
      {passkeys.length > 0 && (
        <ul className={styles['keys']} aria-label="Your passkeys">
          {passkeys.map((passkey) => (
            <OnePasskey key={passkey.id} passkey={passkey} />
          ))}
        </ul>
      )}
      {why === null ? <Button onPress={() => setIsAdding(true)}>Add a passkey</Button> : <p>{why}</p>}
      <Dialog title="Add a passkey" isOpen={isAdding} onClose={() => setIsAdding(false)}>
        <AddForm
          onDone={(codes) => {
            setIsAdding(false);
            onCodes(codes);
          }}
        />
      </Dialog>
    </div>
  );
}

function AddForm({ onDone }: { readonly onDone: (codes: readonly string[] | null) => void }) {
  const add = useChange(async (name: string) => {
    const { options } = await api.post('/auth/passkeys/options');
    const credential = await makePasskey(options);
    return api.post('/auth/passkeys', { body: { name, challenge: options.challenge, credential } });
  }, changes);
  const submit = async (values: FormData) => {
    const { recovery_codes } = await add.mutateAsync(String(values.get('name')).trim());
    toast.done('The passkey is added.');
    onDone(recovery_codes);
  };
  return (
    <Form submit="Add the passkey" onSubmit={submit}>
      <TextField
        name="name"
        label="Name"
        isRequired
        autoFocus
        maxLength={100}
        hint="To tell your passkeys apart: “laptop”, “blue security key”."
      />
    </Form>
  );
}

function OnePasskey({ passkey: { id, name, created_at, last_used_at } }: { readonly passkey: Passkey }) {
  const remove = useChange(() => api.delete('/auth/passkeys/{id}', { params: { id } }), changes);
  return (
    <li className={styles['key']}>
      <span>
        <strong>
          <ForeignText text={name} oneLine />
        </strong>{' '}
        added <Time at={created_at} />
        {last_used_at === null ? ', not used yet' : ', last used '}
        {last_used_at !== null && <Time at={last_used_at} />}
      </span>
      <ConfirmButton
        button="Remove"
        label={`Remove ${name}`}
        title="Remove this passkey?"
        confirm="Remove the passkey"
        onConfirm={() => remove.mutateAsync()}
        done="The passkey is removed."
      >
        <p>
          <ForeignText text={name} oneLine /> no longer signs you in. Delete it on its device too.
        </p>
      </ConfirmButton>
    </li>
  );
}
