import type { HostDetail } from '@plimsoll/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { isBelow } from '../../api/queries.ts';
import { Confirm } from '../../design/dialog.tsx';
import { ForeignText } from '../../design/foreign-text.tsx';
import { toast } from '../../design/toasts.tsx';

interface DeleteHostProps {
  readonly host: HostDetail;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Whether to stay on the page, that being another host's. */
  readonly stay?: boolean;
}

/** Asks before a host is deleted, and says what goes with it. */
export function DeleteHost({ host, isOpen, onClose, stay = false }: DeleteHostProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const proceed = async () => {
    await api.delete('/hosts/{id}', { params: { id: host.id } });
    toast.done('The host is deleted.');
    if (!stay) await navigate({ to: '/hosts', search: {} });
    // After leaving: what was read of the host must not be asked for again.
    client.removeQueries({ predicate: ({ queryKey: [, asked] }) => isOf(asked, host.id) });
    void client.invalidateQueries({
      predicate: ({ queryKey }) => isBelow(queryKey[0], ['/hosts', '/fleet', '/advisories', '/packages']),
    });
  };
  return (
    <Confirm
      title="Delete this host?"
      isOpen={isOpen}
      onClose={onClose}
      confirm="Delete host"
      onConfirm={proceed}
    >
      <p>
        <strong>
          <ForeignText text={host.display_name} oneLine />
        </strong>{' '}
        goes with its reports, snapshots, findings, pulls
        {host.ssh?.unique_key_pair === true ? ', its own key pair' : ''} and tokens. This cannot be taken
        back.
        {host.onboarding_mode === 'agent' &&
          ' The agent on the machine is refused from then on: remove it there.'}
        {host.ssh !== null && ' Take the line out of its authorized_keys, too.'}
      </p>
    </Confirm>
  );
}

function isOf(asked: unknown, id: string): boolean {
  return (asked as { readonly params?: { readonly id?: string } } | undefined)?.params?.id === id;
}
