import type { HostDetail } from '@plimsoll/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { isBelow } from '../../api/query-path.ts';
import { Confirm } from '../../design/dialog.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { toast } from '../../design/toasts.tsx';
import { UninstallAgent } from '../hosts/bulk/uninstall-agent.tsx';
import { lastHostsList } from '../hosts/last-list.ts';
import { kept } from '../hosts/table/kept-selection.ts';

interface DeleteHostProps {
  readonly host: HostDetail;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** Whether to stay on the page because it shows another host. */
  readonly stay?: boolean;
}

/** Deletes a host after a confirmation that names what is lost; then shows the list of hosts. */
export function DeleteHost({ host, isOpen, onClose, stay = false }: DeleteHostProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const proceed = async () => {
    await api.delete('/hosts/{id}', { params: { id: host.id } });
    kept.forget(host.id);
    toast.done('The host is deleted.');
    if (!stay) await navigate({ to: '/hosts', search: lastHostsList() });
    // Only after leaving the page: it must not read the deleted host again.
    client.removeQueries({ predicate: ({ queryKey: [, asked] }) => isAbout(asked, host.id) });
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
        This deletes{' '}
        <strong>
          <ForeignText text={host.display_name} oneLine />
        </strong>{' '}
        with its reports, snapshots, findings, pulls
        {host.ssh?.unique_key_pair === true ? ', its own key pair' : ''} and tokens. This cannot be undone.
        {host.ssh !== null && ' Also remove the line from its authorized_keys.'}
      </p>
      {host.onboarding_mode === 'agent' && <UninstallAgent />}
    </Confirm>
  );
}

function isAbout(asked: unknown, id: string): boolean {
  return (asked as { readonly params?: { readonly id?: string } } | undefined)?.params?.id === id;
}
