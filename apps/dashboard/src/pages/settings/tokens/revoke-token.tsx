import type { RegistrationToken } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/dialog.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { toast } from '../../../design/toasts.tsx';
import { tokenState } from './token-state.ts';

/** Revokes a token that still enrols hosts; nothing for other tokens. */
export function RevokeToken({ token }: { readonly token: RegistrationToken }) {
  const [isAsking, setIsAsking] = useState(false);
  const revoke = useChange(
    () => api.delete('/registration-tokens/{id}', { params: { id: token.id } }),
    ['/registration-tokens'],
  );
  if (tokenState(token) !== 'open' && !isAsking) return null;
  const proceed = async () => {
    await revoke.mutateAsync();
    toast.done('The token is revoked.');
  };
  return (
    <>
      <Button
        look="quiet"
        onPress={() => setIsAsking(true)}
        aria-label={`Revoke ${printable(token.name, 60)}`}
      >
        Revoke
      </Button>
      <Confirm
        title="Revoke this token?"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirm="Revoke token"
        onConfirm={proceed}
      >
        <p>
          <strong>
            <ForeignText text={token.name} oneLine />
          </strong>{' '}
          can no longer enrol hosts. Hosts already enrolled with it are not affected.
        </p>
      </Confirm>
    </>
  );
}
