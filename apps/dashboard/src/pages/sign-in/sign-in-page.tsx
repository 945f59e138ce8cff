import type { SecondFactorRequired, SignedIn } from '@plimsoll/contract';
import { wordsOfRefusal } from '@plimsoll/words';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { hasPasskeys, signWithPasskey } from '../../api/passkeys.ts';
import { messageOf } from '../../api/problem.ts';
import { apiQuery, queryClient, useAction } from '../../api/queries.ts';
import { session } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { Notice } from '../../design/notice.tsx';
import { placeWithin } from '../../shell/text-search.ts';
import { Entrance } from './entrance.tsx';
import { SecondStep } from './second-step.tsx';
import styles from './sign-in.module.css';
import { SingleSignOn } from './single-sign-on.tsx';

/** Signs a user in and returns to the page where the session expired. */
export function SignInPage() {
  const { back, expired, refused, unconfirmed } = useSearch({ from: '/sign-in' });
  const navigate = useNavigate();
  const [isEmergency, setIsEmergency] = useState(false);
  const methods = useQuery(apiQuery('/auth/methods')).data;
  // If the server does not say, the password form tells why it fails.
  const offersPassword = methods?.password ?? true;
  const refusal = wordsOfRefusal(refused);
  const [asked, setAsked] = useState<SecondFactorRequired | null>(null);
  const begin = async (signedIn: SignedIn) => {
    // Clears the cache: it may hold another user's data.
    queryClient.clear();
    session.begin(signedIn);
    await navigate({ href: placeWithin(back) ?? '/', replace: true });
  };
  const signIn = async (values: FormData) => {
    const answer = await api.post('/auth/login', {
      body: {
        email: String(values.get('email')),
        password: String(values.get('password')),
        refresh_cookie: true,
      },
    });
    if ('token' in answer) await begin(answer);
    else setAsked(answer);
  };
  if (asked !== null) return <SecondStep asked={asked} onSignedIn={begin} onAgain={() => setAsked(null)} />;
  return (
    <Entrance title="Sign in" lead="The patch state of every Linux server you run.">
      {expired !== undefined && <Notice tone="neutral">Your session has ended. Sign in to continue.</Notice>}
      {unconfirmed !== undefined && (
        <Notice tone="critical">
          The server did not confirm that you are signed out: this browser may still hold your session. Sign
          in and out again, or end the session under “Your account” in another browser.
        </Notice>
      )}
      {refusal !== null && <Notice tone="critical">{refusal}</Notice>}
      {methods?.oidc != null && (
        <SingleSignOn label={methods.oidc.label} back={placeWithin(back)} isMain={!offersPassword} />
      )}
      {offersPassword || isEmergency ? (
        <PasswordForm onSubmit={signIn} />
      ) : (
        <Button look="quiet" onPress={() => setIsEmergency(true)}>
          Emergency sign-in with a password
        </Button>
      )}
      {offersPassword && <PasskeySignIn onSignedIn={begin} />}
    </Entrance>
  );
}

function PasswordForm({ onSubmit }: { readonly onSubmit: (values: FormData) => Promise<void> }) {
  return (
    <Form submit="Sign in" onSubmit={onSubmit}>
      <TextField name="email" label="E-mail" type="email" autoComplete="username" isRequired autoFocus />
      <TextField
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        isRequired
      />
    </Form>
  );
}

/** Signs in with a passkey alone, where the browser can use passkeys. */
function PasskeySignIn({ onSignedIn }: { readonly onSignedIn: (signedIn: SignedIn) => Promise<void> }) {
  const { mutate, error } = useAction(async () => {
    const { options } = await api.post('/auth/passkeys/sign-in/options');
    const passkey = await signWithPasskey(options);
    const { challenge } = options;
    const body = { challenge, passkey, refresh_cookie: true } as const;
    await onSignedIn(await api.post('/auth/passkeys/sign-in', { body }));
  });
  if (!hasPasskeys()) return null;
  return (
    <div className={styles['other']}>
      {error !== null && <Notice tone="critical">{messageOf(error)}</Notice>}
      <Button look="quiet" onPress={() => mutate()}>
        <KeyRound aria-hidden /> Use a passkey instead
      </Button>
    </div>
  );
}
