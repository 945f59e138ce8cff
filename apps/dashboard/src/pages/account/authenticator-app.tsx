import { useState } from 'react';
import { encode } from 'uqr';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { ConfirmButton, Dialog } from '../../design/dialog.tsx';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { CopyField } from '../../design/text/copy-field.tsx';
import { Time } from '../../design/time/time.tsx';
import { toast } from '../../design/toasts.tsx';
import styles from './account.module.css';

// The first factor ends other sessions.
const changes = ['/auth/second-factor', '/sessions'];

interface AuthenticatorAppProps {
  readonly confirmedAt: string | null;
  /** Gets the recovery codes of the first factor. */
  readonly onCodes: (codes: readonly string[] | null) => void;
}

/** Sets up and removes the user's authenticator app. */
export function AuthenticatorApp({ confirmedAt, onCodes }: AuthenticatorAppProps) {
  const [secret, setSecret] = useState<{ readonly secret: string; readonly uri: string } | null>(null);
  const begin = useChange(() => api.post('/auth/totp'), []);
  const start = () => begin.mutate(undefined, { onSuccess: setSecret, onError: toast.failed });
  return (
    <div className={styles['part']}>
      <h3>Authenticator app</h3>
      {confirmedAt === null ? (
        <>
          <p>An app on your phone shows a new code every 30 seconds.</p>
          <Button onPress={start} isPending={begin.isPending}>
            Set up an app
          </Button>
        </>
      ) : (
        <>
          <p>
            Set up <Time at={confirmedAt} />.
          </p>
          <RemoveApp />
        </>
      )}
      <Dialog title="Set up an authenticator app" isOpen={secret !== null} onClose={() => setSecret(null)}>
        {secret !== null && (
          <SetUpForm
            {...secret}
            onDone={(codes) => {
              setSecret(null);
              onCodes(codes);
            }}
          />
        )}
      </Dialog>
    </div>
  );
}

interface SetUpFormProps {
  readonly secret: string;
  readonly uri: string;
  readonly onDone: (codes: readonly string[] | null) => void;
}

function SetUpForm({ secret, uri, onDone }: SetUpFormProps) {
  const confirm = useChange((code: string) => api.post('/auth/totp/confirm', { body: { code } }), changes);
  const submit = async (values: FormData) => {
    const { recovery_codes } = await confirm.mutateAsync(String(values.get('code')));
    toast.done('Your authenticator app is set up.');
    onDone(recovery_codes);
  };
  return (
    <>
      <p>Scan this with the app, or type the key. Then enter the code that the app shows.</p>
      <QrCode text={uri} label="QR code for the authenticator app" />
      <CopyField text={secret} what="key" />
      <Form submit="Confirm" onSubmit={submit}>
        <TextField
          name="code"
          label="Code of the app"
          autoComplete="one-time-code"
          inputMode="numeric"
          isRequired
          autoFocus
        />
      </Form>
    </>
  );
}

function RemoveApp() {
  const remove = useChange(() => api.delete('/auth/totp'), changes);
  return (
    <ConfirmButton
      button="Remove the app"
      title="Remove the authenticator app?"
      confirm="Remove the app"
      onConfirm={() => remove.mutateAsync()}
      done="Your authenticator app is removed."
    >
      <p>Its codes no longer sign you in. Without any other second factor your password alone does.</p>
    </ConfirmButton>
  );
}

/** A QR code, dark on light in every theme, because many cameras read no other. */
function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])));
  return (
    <svg
      className={styles['qr']}
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  );
}
