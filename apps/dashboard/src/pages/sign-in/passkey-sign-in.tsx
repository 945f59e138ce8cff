import type { SignedIn } from '@plimsoll/contract';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { hasPasskeys, signWithPasskey } from '../../api/passkeys.ts';
import { messageOf } from '../../api/problem.ts';
import { Button } from '../../design/button.tsx';
import { Notice } from '../../design/notice.tsx';
import styles from './sign-in.module.css';

/** Signs in with a passkey alone, where the browser can use passkeys. */
export function PasskeySignIn({
  onSignedIn,
}: {
  readonly onSignedIn: (signedIn: SignedIn) => Promise<void>;
}) {
  const [failure, setFailure] = useState<unknown>(null);
  if (!hasPasskeys()) return null;
  const signIn = async () => {
    setFailure(null);
    try {
      const { options } = await api.post('/auth/passkeys/sign-in/options');
      const passkey = await signWithPasskey(options);
      const { challenge } = options;
      const body = { challenge, passkey, refresh_cookie: true } as const;
      await onSignedIn(await api.post('/auth/passkeys/sign-in', { body }));
    } catch (error) {
      setFailure(error);
    }
  };
  return (
    <div className={styles['other']}>
      {failure !== null && <Notice tone="critical">{messageOf(failure)}</Notice>}
      <Button look="quiet" onPress={signIn}>
        <KeyRound aria-hidden /> Use a passkey instead
      </Button>
    </div>
  );
}
