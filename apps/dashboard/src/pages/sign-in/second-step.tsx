import type { SecondFactorRequired, SignedIn } from '@plimsoll/contract';
import { KeyRound } from 'lucide-react';
import { api } from '../../api/client.ts';
import { hasPasskeys, signWithPasskey } from '../../api/passkeys.ts';
import { messageOf } from '../../api/problem.ts';
import { useAction } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { Entrance } from './entrance.tsx';
import { proofOfCode } from './factor-code.ts';
import styles from './sign-in.module.css';

interface SecondStepProps {
  readonly asked: SecondFactorRequired;
  readonly onSignedIn: (signedIn: SignedIn) => Promise<void>;
  readonly onAgain: () => void;
}

/** The second step of a sign-in: a code, or a passkey. */
export function SecondStep({ asked, onSignedIn, onAgain }: SecondStepProps) {
  const { challenge, methods, passkey_options: options } = asked;
  const signIn = async (values: FormData) => {
    const proof = proofOfCode(String(values.get('code')));
    await onSignedIn(
      await api.post('/auth/second-factor', { body: { challenge, ...proof, refresh_cookie: true } }),
    );
  };
  const byPasskey = useAction(async () => {
    if (options === null) return;
    const passkey = await signWithPasskey(options);
    await onSignedIn(
      await api.post('/auth/second-factor', { body: { challenge, passkey, refresh_cookie: true } }),
    );
  });
  const hasApp = methods.includes('totp');
  return (
    <Entrance title="Second step" lead="Your password is right. Prove that it is you.">
      {byPasskey.error !== null && <Notice tone="critical">{messageOf(byPasskey.error)}</Notice>}
      {options !== null && hasPasskeys() && (
        <div className={styles['other']}>
          <Button look={hasApp ? 'plain' : 'primary'} onPress={() => byPasskey.mutate()}>
            <KeyRound aria-hidden /> Use a passkey
          </Button>
        </div>
      )}
      <Form submit="Continue" onSubmit={signIn}>
        <TextField
          name="code"
          label={hasApp ? 'Code' : 'Recovery code'}
          autoComplete="one-time-code"
          isRequired
          autoFocus
          hint={
            hasApp
              ? 'The six digits that your authenticator app shows now, or one of your recovery codes.'
              : 'One of the codes that you saved when you added your passkey.'
          }
        />
      </Form>
      <div className={styles['other']}>
        <Button look="quiet" onPress={onAgain}>
          Begin again
        </Button>
      </div>
    </Entrance>
  );
}
