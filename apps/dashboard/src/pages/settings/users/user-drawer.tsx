import type { UserAccount } from '@plimsoll/contract';
import { Dialog } from '../../../design/dialog.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';
import { EditUser } from './edit-user.tsx';
import { RemoveUser } from './remove-user.tsx';
import { SetPassword } from './set-password.tsx';

interface UserDrawerProps {
  readonly user: UserAccount;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

/** All actions of an administrator on a user. */
export function UserDrawer({ user, isOwn, onClose }: UserDrawerProps) {
  const title = <ForeignText text={user.email} />;
  return (
    <Dialog title={title} isOpen onClose={onClose} side>
      {isOwn && (
        <Notice tone="neutral">
          <p>This is your account. Changing the role or password signs you out.</p>
        </Notice>
      )}
      <Facts
        facts={[
          ['State', user.disabled ? 'Disabled: cannot sign in' : 'Active'],
          ['Last sign-in', <Time key="last" at={user.last_login_at} />],
          ['Since', <Time key="since" at={user.created_at} />],
        ]}
      />
      <section className={styles['aside']} aria-label="Name and role">
        <EditUser user={user} />
      </section>
      <section className={styles['aside']} aria-label="Password">
        <SetPassword user={user} />
      </section>
      <section className={styles['aside']} aria-label="Access">
        <RemoveUser user={user} onDeleted={onClose} />
      </section>
    </Dialog>
  );
}
