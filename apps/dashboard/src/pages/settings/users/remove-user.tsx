import type { UserAccount } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/dialog.tsx';
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
  const disable = async () => {
    await setDisabled.mutateAsync(true);
    toast.done('The user is disabled.');
  };
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
        onConfirm={disable}
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
  const [isAsking, setIsAsking] = useState(false);
  const remove = useChange(() => api.delete('/users/{id}', { params: { id: user.id } }), ['/users']);
  const erase = async () => {
    await remove.mutateAsync();
    toast.done('The user is deleted.');
    onDeleted();
  };
  return (
    <>
      <Button look="danger" onPress={() => setIsAsking(true)}>
        Delete
      </Button>
      <Confirm
        title="Delete this user?"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirm="Delete user"
        onConfirm={erase}
      >
        <p>
          <Email user={user} /> is signed out everywhere and deleted. Entries in the audit log are kept. To
          remove access for a while, disable the account instead.
        </p>
      </Confirm>
    </>
  );
}

function Email({ user }: { readonly user: UserAccount }) {
  return (
    <strong>
      <ForeignText text={user.email} oneLine />
    </strong>
  );
}
