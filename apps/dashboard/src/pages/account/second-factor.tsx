import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useApi, useChange } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Notice } from '../../design/notice.tsx';
import { Loaded } from '../../design/states.tsx';
import { CopyField } from '../../design/text/copy-field.tsx';
import { toast } from '../../design/toasts.tsx';
import styles from './account.module.css';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { Passkeys } from './passkeys.tsx';

/** The user's second factors: authenticator app, passkeys and recovery codes. */
export function SecondFactor() {
  const query = useApi('/auth/second-factor');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  return (
    <>
      <Loaded query={query} what="Loading your second factors">
        {({ required, totp_confirmed_at, passkeys, passkeys_refused, recovery_codes_left }) => {
          const hasNone = totp_confirmed_at === null && passkeys.length === 0;
          return (
            <>
              {required && hasNone && (
                <Notice tone="important">
                  Your role needs a second factor. Set one up to use the rest of the service.
                </Notice>
              )}
              <AuthenticatorApp confirmedAt={totp_confirmed_at} onCodes={setCodes} />
              <Passkeys passkeys={passkeys} refused={passkeys_refused} onCodes={setCodes} />
              {!hasNone && <CodesLeft left={recovery_codes_left} onCodes={setCodes} />}
            </>
          );
        }}
      </Loaded>
      <RecoveryCodes codes={codes} onClose={() => setCodes(null)} />
    </>
  );
}

interface CodesLeftProps {
  readonly left: number;
  readonly onCodes: (codes: readonly string[]) => void;
}

function CodesLeft({ left, onCodes }: CodesLeftProps) {
  const make = useChange(() => api.post('/auth/recovery-codes'), ['/auth/second-factor']);
  const renew = () =>
    make.mutate(undefined, {
      onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
      onError: toast.failed,
    });
  return (
    <div className={styles['part']}>
      <h3>Recovery codes</h3>
      <p>{left === 0 ? 'No code is left.' : `${left} ${left === 1 ? 'code is' : 'codes are'} left.`}</p>
      <Button onPress={renew} isPending={make.isPending}>
        Make new codes
      </Button>
    </div>
  );
}

interface RecoveryCodesProps {
  /** Null: nothing is shown. */
  readonly codes: readonly string[] | null;
  readonly onClose: () => void;
}

/** Shows new recovery codes, once. */
function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  return (
    <Dialog title="Save your recovery codes" isOpen={codes !== null} onClose={onClose}>
      <p>
        Each code signs you in once if you lose your app or passkey. Print them, or keep them in a password
        manager. They are not shown again.
      </p>
      <CopyField text={(codes ?? []).join('\n')} what="recovery codes" />
      <div>
        <Button look="primary" onPress={onClose}>
          I have saved them
        </Button>
      </div>
    </Dialog>
  );
}
