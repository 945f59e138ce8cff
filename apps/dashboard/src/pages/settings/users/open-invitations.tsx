import type { Invitation } from '@plimsoll/contract';
import { roleWords } from '@plimsoll/words';
import { useMemo } from 'react';
import { api } from '../../../api/client.ts';
import { useApi, useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Loaded } from '../../../design/states.tsx';
import { LongTable } from '../../../design/table/long-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { Time } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import { HostsOf } from './user-columns.tsx';

/** Invitations that nobody has accepted yet; nothing if there are none. */
export function OpenInvitations() {
  const query = useApi('/users/invitations');
  const revoke = useChange(
    (id: string) => api.delete('/users/invitations/{id}', { params: { id } }),
    ['/users/invitations'],
  );
  const columns = useMemo(
    () => invitationColumns((id) => toast.outcome(revoke.mutateAsync(id), 'The invitation is revoked.')),
    [revoke.mutateAsync],
  );
  if (query.data?.length === 0) return null;
  return (
    <Panel title="Open invitations" flush>
      <Loaded query={query} what="Loading the invitations">
        {(rows) => (
          <LongTable label="Open invitations" columns={columns} rows={rows} rowId={({ id }) => id} />
        )}
      </Loaded>
    </Panel>
  );
}

function invitationColumns(onRevoke: (id: string) => void): readonly Column<Invitation>[] {
  return [
    column('email', 'E-mail', {
      width: '22rem',
      cell: ({ email }) => <ForeignText text={email} oneLine />,
    }),
    column('role', 'Role', { width: '9rem', cell: ({ role }) => roleWords[role].words }),
    column('tags', 'Hosts', {
      width: '11rem',
      from: 'medium',
      cell: ({ tags }) => <HostsOf tags={tags} />,
    }),
    column('by', 'Invited by', {
      width: '14rem',
      from: 'medium',
      cell: ({ invited_by }) => <ForeignText text={invited_by} oneLine />,
    }),
    column('expires', 'Expires', {
      width: '10rem',
      cell: ({ expires_at }) => <Time at={expires_at} />,
    }),
    column('actions', 'Actions', {
      align: 'end',
      width: '7rem',
      cell: ({ id, email }) => (
        <Button
          look="quiet"
          onPress={() => onRevoke(id)}
          aria-label={`Revoke the invitation of ${printable(email, 60)}`}
        >
          Revoke
        </Button>
      ),
    }),
  ];
}
