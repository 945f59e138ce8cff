import type { UserAccount } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/dialog.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { toast } from '../../../design/toasts.tsx';

/** Removes the second factors of a user who lost them. */
export function ResetSecondFactor({
  user: { id, email, has_second_factor },
}: {
  readonly user: UserAccount;
}) {
  const [isAsking, setIsAsking] = useState(false);
  const reset = useChange(() => api.delete('/users/{id}/second-factor', { params: { id } }), ['/users']);
  const confirm = async () => {
    await reset.mutateAsync();
    toast.done('The second factor is removed. The user is signed out everywhere.');
  };
  return (
    <>
      <h3>Second factor</h3>
      {has_second_factor ? (
        <div>
          <Button onPress={() => setIsAsking(true)}>Reset the second factor</Button>
        </div>
      ) : (
        <p>This user signs in without one.</p>
      )}
      <Confirm
        title="Reset the second factor?"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirm="Reset the second factor"
        onConfirm={confirm}
      >
        <p>
          <ForeignText text={email} oneLine /> is signed out everywhere, and then signs in with the password
          alone. Make sure that the request comes from this person.
        </p>
      </Confirm>
    </>
  );
}
