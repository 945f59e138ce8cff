import type { UserAccount } from '@plimsoll/contract';
import { noAccess, roleWords } from '@plimsoll/words';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Badge } from '../../../design/badge.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';

interface UserColumnsFor {
  /** Id of the signed-in user. */
  readonly own: string;
  readonly onOpen: (id: string) => void;
}

/** Columns of the list of users. */
export function userColumns({ own, onOpen }: UserColumnsFor): readonly Column<UserAccount>[] {
  return [
    column('email', 'E-mail', {
      width: '22rem',
      cell: ({ id, email }) => (
        <span className={styles['inline']}>
          <AriaButton className={styles['press'] ?? ''} onPress={() => onOpen(id)}>
            <ForeignText text={email} oneLine />
          </AriaButton>
          {id === own && <Badge tone="low">You</Badge>}
        </span>
      ),
    }),
    ...accountColumns,
  ];
}

/** How users sign in. */
function originOf({ provider }: UserAccount): string {
  return provider === null ? 'Password' : 'Single sign-on';
}

/** The hosts that exist for a user. */
export function HostsOf({ tags }: Pick<UserAccount, 'tags'>) {
  return (
    <span className={styles['text']}>
      {tags === null ? 'all' : <ForeignText text={`tagged ${tags.join(' or ')}`} oneLine />}
    </span>
  );
}

function StateBadge({ disabled, access_withdrawn_at }: UserAccount) {
  if (disabled) {
    return (
      <Badge tone="neutral" title="Cannot sign in.">
        Disabled
      </Badge>
    );
  }
  if (access_withdrawn_at !== null) {
    return (
      <Badge tone="neutral" title={noAccess}>
        No access
      </Badge>
    );
  }
  return <Badge tone="good">Active</Badge>;
}

const accountColumns: readonly Column<UserAccount>[] = [
  column('name', 'Name', {
    width: '14rem',
    from: 'medium',
    cell: ({ name }) => (
      <span className={styles['text']}>{name === '' ? '–' : <ForeignText text={name} oneLine />}</span>
    ),
  }),
  column('role', 'Role', {
    width: '9rem',
    cell: ({ role }) => <span title={roleWords[role].meaning}>{roleWords[role].words}</span>,
  }),
  column('tags', 'Hosts', {
    width: '11rem',
    from: 'medium',
    cell: ({ tags }) => <HostsOf tags={tags} />,
  }),
  column('state', 'State', {
    width: '8rem',
    cell: (user) => <StateBadge {...user} />,
  }),
  column('origin', 'Signs in by', {
    width: '9rem',
    from: 'wide',
    cell: (user) => <span title={user.provider ?? undefined}>{originOf(user)}</span>,
  }),
  column('last', 'Last sign-in', {
    width: '10rem',
    from: 'medium',
    cell: ({ last_login_at }) => (
      <span className={styles['short']}>
        <Time at={last_login_at} />
      </span>
    ),
  }),
  column('created', 'Since', {
    width: '10rem',
    from: 'wide',
    cell: ({ created_at }) => (
      <span className={styles['short']}>
        <Time at={created_at} />
      </span>
    ),
  }),
];
