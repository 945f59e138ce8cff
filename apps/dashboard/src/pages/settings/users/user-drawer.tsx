import type { UserAccount } from '@plimsoll/contract';
import { noAccess } from '@plimsoll/words';
import { Dialog } from '../../../design/dialog.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';
import { EditUser } from './edit-user.tsx';
import { RemoveUser } from './remove-user.tsx';
import { ResetSecondFactor } from './reset-second-factor.tsx';
import { SetPassword } from './set-password.tsx';

interface UserDrawerProps {
  readonly user: UserAccount;
  readonly isOwn: boolean;
  readonly onClose: () => void;
}

function stateOf({ disabled, access_withdrawn_at }: UserAccount): string {
  if (disabled) return 'Disabled: cannot sign in';
  return access_withdrawn_at === null ? 'Active' : `No access: ${noAccess}`;
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
          ['State', stateOf(user)],
          [
            'Signs in by',
            user.provider === null ? 'Password' : <ForeignText key="provider" text={user.provider} oneLine />,
          ],
          ['Last sign-in', <Time key="last" at={user.last_login_at} />],
          ['Since', <Time key="since" at={user.created_at} />],
        ]}
      />
      {user.provider !== null && (
        <Notice tone="neutral">
          <p>
            Name, e-mail address and role come from the provider at each sign-in. Changes here last until
            then.
          </p>
        </Notice>
      )}
      <section className={styles['aside']} aria-label="Name and role">
        <EditUser user={user} />
      </section>
      <section className={styles['aside']} aria-label="Password">
        <SetPassword user={user} />
      </section>
      <section className={styles['aside']} aria-label="Second factor">
        <ResetSecondFactor user={user} />
      </section>
      <section className={styles['aside']} aria-label="Access">
        <RemoveUser user={user} onDeleted={onClose} />
      </section>
    </Dialog>
  );
}
