import type { SecondFactorState } from '@plimsoll/contract';
import { KeyRound } from 'lucide-react';
import { api } from '../api/client.ts';
import { hasPasskeys, signWithPasskey } from '../api/passkeys.ts';
import { messageOf } from '../api/problem.ts';
import { useAction, useApi } from '../api/queries.ts';
import { reauthentication, useIsAskedAgain } from '../api/reauthentication.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { TextField } from '../design/form/fields.tsx';
import { Form } from '../design/form/form.tsx';
import { Notice } from '../design/notice.tsx';
import { Loaded } from '../design/states.tsx';
import { proofOfCode } from '../pages/sign-in/factor-code.ts';
import { SingleSignOn } from '../pages/sign-in/single-sign-on.tsx';

/** Asks the user for a proof of who they are, before an action that needs it. The action then goes on. */
export function ProveAgain() {
  const isOpen = useIsAskedAgain();
  return (
    <Dialog title="Confirm that it is you" isOpen={isOpen} onClose={() => reauthentication.settle(false)}>
      <Proof />
    </Dialog>
  );
}

function Proof() {
  const query = useApi('/auth/second-factor');
  return (
    <Loaded query={query} what="Loading the ways to confirm it">
      {(ways) => (
        <>
          <p>
            You signed in some time ago. This action needs a proof again that it is you:{' '}
            {proofsOf(ways).join(', or ')}.
          </p>
          <SignInAgain {...ways} />
          {ways.passkeys.length > 0 && hasPasskeys() && <PasskeyProof />}
          {hasFactor(ways) && <CodeProof {...ways} />}
          {takesPassword(ways) && <PasswordProof />}
        </>
      )}
    </Loaded>
  );
}

function hasApp({ totp_confirmed_at }: SecondFactorState): boolean {
  return totp_confirmed_at !== null;
}

function hasFactor(ways: SecondFactorState): boolean {
  return hasApp(ways) || ways.passkeys.length > 0;
}

/** The API takes no password from a user with a second factor. */
function takesPassword(ways: SecondFactorState): boolean {
  return ways.has_password && !hasFactor(ways);
}

/** The ways in which a user can prove who they are. */
function proofsOf(ways: SecondFactorState): readonly string[] {
  const proofs = [
    ...(takesPassword(ways) ? ['your password'] : []),
    ...(hasApp(ways) ? ['a code of your authenticator app'] : []),
    ...(ways.passkeys.length > 0 && hasPasskeys() ? ['a passkey'] : []),
    ...(hasFactor(ways) && ways.recovery_codes_left > 0 ? ['a recovery code'] : []),
    ...(ways.single_sign_on === null ? [] : ['a new sign-in with your provider']),
  ];
  return proofs.length === 0 ? ['sign out and in again'] : proofs;
}

/** The way to the provider, which leaves the page. */
function SignInAgain({ single_sign_on }: SecondFactorState) {
  if (single_sign_on === null) return null;
  const { pathname, search } = window.location;
  return (
    <div>
      <SingleSignOn label={single_sign_on} back={`${pathname}${search}`} isMain={false} isAgain />
      <p>You then return to this page, and repeat the action.</p>
    </div>
  );
}

function PasskeyProof() {
  const { mutate, error } = useAction(async () => {
    const { options } = await api.post('/auth/reauthenticate/options');
    const passkey = await signWithPasskey(options);
    await api.post('/auth/reauthenticate', { body: { challenge: options.challenge, passkey } });
    reauthentication.settle(true);
  });
  return (
    <>
      {error !== null && <Notice tone="critical">{messageOf(error)}</Notice>}
      <div>
        <Button onPress={() => mutate()}>
          <KeyRound aria-hidden /> Use a passkey
        </Button>
      </div>
    </>
  );
}

function CodeProof(ways: SecondFactorState) {
  const confirm = async (values: FormData) => {
    await api.post('/auth/reauthenticate', { body: proofOfCode(String(values.get('code'))) });
    reauthentication.settle(true);
  };
  return (
    <Form submit="Confirm" onSubmit={confirm}>
      <TextField
        name="code"
        label={hasApp(ways) ? 'Code of your authenticator app, or a recovery code' : 'Recovery code'}
        autoComplete="one-time-code"
        autoFocus
        isRequired
      />
    </Form>
  );
}

function PasswordProof() {
  const confirm = async (values: FormData) => {
    await api.post('/auth/reauthenticate', { body: { password: String(values.get('password')) } });
    reauthentication.settle(true);
  };
  return (
    <Form submit="Confirm" onSubmit={confirm}>
      <TextField
        name="password"
        label="Your password"
        type="password"
        autoComplete="current-password"
        autoFocus
        isRequired
      />
    </Form>
  );
}
