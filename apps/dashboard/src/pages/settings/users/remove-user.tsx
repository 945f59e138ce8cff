import type { UserAccount } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Confirm, ConfirmButton } from '../../../design/dialog.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../settings.module.css';

interface RemoveUserProps {
  readonly user: UserAccount;
  readonly onDeleted: () => void;
}

/** Disables or deletes a user. The server refuses it for the last administrator. */
export function RemoveUser({ user, onDeleted }: RemoveUserProps) {
  return (
    <>
      <h3>Access</h3>
      <div className={styles['inline']}>
        <DisableUser user={user} />
        <DeleteUser user={user} onDeleted={onDeleted} />
      </div>
    </>
  );
}

function DisableUser({ user }: { readonly user: UserAccount }) {
  const [isAsking, setIsAsking] = useState(false);
  const setDisabled = useChange(
    (disabled: boolean) => api.patch('/users/{id}', { params: { id: user.id }, body: { disabled } }),
    ['/users'],
  );
  const enable = () => toast.outcome(setDisabled.mutateAsync(false), 'The user can sign in again.');
  return (
    <>
      {user.disabled ? (
        <Button isPending={setDisabled.isPending} onPress={enable}>
          Enable
        </Button>
      ) : (
        <Button onPress={() => setIsAsking(true)}>Disable</Button>
      )}
      <Confirm
        title="Disable this user?"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirm="Disable user"
        onConfirm={() => setDisabled.mutateAsync(true)}
        done="The user is disabled."
      >
        <p>
          <Email user={user} /> is signed out everywhere and cannot sign in until the account is enabled
          again.
        </p>
      </Confirm>
    </>
  );
}

function DeleteUser({ user, onDeleted }: RemoveUserProps) {
  const remove = useChange(() => api.delete('/users/{id}', { params: { id: user.id } }), ['/users']);
  return (
    <ConfirmButton
      button="Delete"
      look="danger"
      title="Delete this user?"
      confirm="Delete user"
      onConfirm={() => remove.mutateAsync().then(onDeleted)}
      done="The user is deleted."
    >
      <p>
        <Email user={user} /> is signed out everywhere and deleted. Entries in the audit log are kept. To
        remove access for a while, disable the account instead.
      </p>
    </ConfirmButton>
  );
}

function Email({ user }: { readonly user: UserAccount }) {
  return (
    <strong>
      <ForeignText text={user.email} oneLine />
    </strong>
  );
}
