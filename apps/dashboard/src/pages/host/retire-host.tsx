import type { HostDetail } from '@plimsoll/contract';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Confirm } from '../../design/dialog.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { toast } from '../../design/toasts.tsx';
import { focusTop } from '../../shell/keep-focus.ts';
import { UninstallAgent } from '../hosts/bulk/uninstall-agent.tsx';

/** Query paths that show whether a host is in service. */
const changed = ['/hosts', '/fleet', '/advisories', '/cves', '/packages', '/groups', '/repositories'];

/** Retires or reinstates a host. Rejects with the reason if that is refused. */
export function useHostLife(id: string) {
  return useChange(async (action: 'retire' | 'reinstate') => {
    const { hosts } = await api.post('/hosts/actions', { body: { action, hosts: [id] } });
    const refused = hosts.find(({ outcome }) => outcome === 'refused');
    if (refused !== undefined) throw new Error(refused.detail ?? 'It was refused.');
  }, changed);
}

interface RetireHostProps {
  readonly host: HostDetail;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Retires a host after a confirmation. */
export function RetireHost({ host, isOpen, onClose }: RetireHostProps) {
  const life = useHostLife(host.id);
  const proceed = async () => {
    await life.mutateAsync('retire');
    toast.done('The host is retired.');
    // The notice with what is possible now is at the top, the button of this dialog at the bottom.
    focusTop();
  };
  return (
    <Confirm
      title="Retire this host?"
      isOpen={isOpen}
      onClose={onClose}
      confirm="Retire host"
      onConfirm={proceed}
    >
      <p>
        <strong>
          <ForeignText text={host.display_name} oneLine />
        </strong>{' '}
        leaves every list and total; its reports are refused from now on. Its history stays.
        {host.ssh !== null && ' Also remove the line from its authorized_keys.'}
      </p>
      {host.onboarding_mode === 'agent' && <UninstallAgent />}
    </Confirm>
  );
}
