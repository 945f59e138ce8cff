import type { RegistrationToken } from '@plimsoll/contract';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/dialog.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { Time } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';
import { tokenState, tokenStateWords } from './token-state.ts';

/** Revokes a token that still enrols hosts; nothing for other tokens. */
function RevokeToken({ token }: { readonly token: RegistrationToken }) {
  const [isAsking, setIsAsking] = useState(false);
  const revoke = useChange(
    () => api.delete('/registration-tokens/{id}', { params: { id: token.id } }),
    ['/registration-tokens'],
  );
  if (tokenState(token) !== 'open' && !isAsking) return null;
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
        onConfirm={() => revoke.mutateAsync()}
        done="The token is revoked."
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

/** Columns of the list of registration tokens. */
export const tokenColumns: readonly Column<RegistrationToken>[] = [
  column('name', 'Name', {
    cell: (token) => <Name token={token} />,
    sortBy: ({ name }) => name,
    width: '16rem',
  }),
  column('state', 'State', {
    cell: (token) => <State token={token} />,
    sortBy: (token) => tokenState(token),
    width: '8rem',
  }),
  column('uses', 'Hosts enrolled', {
    align: 'end',
    cell: ({ uses, max_uses }) => (
      <span className={styles['short']}>
        {uses} of {max_uses}
      </span>
    ),
    sortBy: ({ uses }) => uses,
    width: '9rem',
  }),
  column('expires', 'Expires', {
    cell: ({ expires_at }) => (
      <span className={styles['short']}>
        <Time at={expires_at} />
      </span>
    ),
    sortBy: ({ expires_at }) => expires_at,
    width: '9rem',
  }),
  column('approval', 'Approval', {
    from: 'medium',
    cell: ({ auto_approve }) => (auto_approve ? 'Automatic' : 'Manual'),
    sortBy: ({ auto_approve }) => Number(auto_approve),
    width: '11rem',
  }),
  column('created', 'Created', {
    from: 'wide',
    cell: ({ created_at }) => (
      <span className={styles['short']}>
        <Time at={created_at} />
      </span>
    ),
    sortBy: ({ created_at }) => created_at,
    width: '9rem',
  }),
  column('actions', 'Actions', {
    align: 'end',
    cell: (token) => <RevokeToken token={token} />,
    width: '7rem',
  }),
];

function Name({ token: { name, host_id } }: { readonly token: RegistrationToken }) {
  return (
    <span className={styles['tight']}>
      <span className={styles['text']}>
        <ForeignText text={name} oneLine />
      </span>
      {host_id !== null && (
        <span className={styles['muted']}>
          Only for{' '}
          <Link to="/hosts/$id" params={{ id: host_id }}>
            one host
          </Link>
        </span>
      )}
    </span>
  );
}

function State({ token }: { readonly token: RegistrationToken }) {
  const { words, tone, meaning } = tokenStateWords[tokenState(token)];
  return (
    <Badge tone={tone} title={meaning}>
      {words}
    </Badge>
  );
}
