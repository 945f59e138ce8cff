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
  const [asking, setAsking] = useState<'disable' | 'delete' | null>(null);
  const params = { id: user.id };
  const setDisabled = useChange(
    (disabled: boolean) => api.patch('/users/{id}', { params, body: { disabled } }),
    ['/users'],
  );
  const remove = useChange(() => api.delete('/users/{id}', { params }), ['/users']);
  const close = () => setAsking(null);
  const enable = () =>
    setDisabled.mutate(false, {
      onSuccess: () => toast.done('The user can sign in again.'),
      onError: toast.failed,
    });
  const disable = async () => {
    await setDisabled.mutateAsync(true);
    toast.done('The user is disabled.');
  };
  const erase = async () => {
    await remove.mutateAsync();
    toast.done('The user is deleted.');
    onDeleted();
  };
  const who = (
    <strong>
      <ForeignText text={user.email} oneLine />
    </strong>
  );
  return (
    <>
      <h3>Access</h3>
      <div className={styles['inline']}>
        {user.disabled ? (
          <Button isPending={setDisabled.isPending} onPress={enable}>
            Enable
          </Button>
        ) : (
          <Button onPress={() => setAsking('disable')}>Disable</Button>
        )}
        <Button look="danger" onPress={() => setAsking('delete')}>
          Delete
        </Button>
      </div>
      <Confirm
        title="Disable this user?"
        isOpen={asking === 'disable'}
        onClose={close}
        confirm="Disable user"
        onConfirm={disable}
      >
        <p>{who} is signed out everywhere and cannot sign in until the account is enabled again.</p>
      </Confirm>
      <Confirm
        title="Delete this user?"
        isOpen={asking === 'delete'}
        onClose={close}
        confirm="Delete user"
        onConfirm={erase}
      >
        <p>
          {who} is signed out everywhere and deleted. Entries in the audit log are kept. To remove access for
          a while, disable the account instead.
        </p>
      </Confirm>
    </>
  );
}
