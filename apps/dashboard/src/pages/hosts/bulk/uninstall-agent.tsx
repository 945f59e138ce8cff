import { CopyField } from '../../../design/text/copy-field.tsx';
import styles from '../hosts.module.css';

/** The command that removes the agent from a host that was deleted or retired. */
export function UninstallAgent() {
  return (
    <div className={styles['dialog']}>
      <p>The agent can no longer report after that. To remove it, run this as root on the host:</p>
      <CopyField text="plimsoll-agent uninstall" what="uninstall command" />
    </div>
  );
}

interface LeftOnHostsProps {
  /** Whether some of the hosts have an agent. */
  readonly hasAgents: boolean;
  /** Whether some of the hosts are pulled over SSH. */
  readonly arePulled: boolean;
}

/** What is to be removed from several hosts that are deleted or retired. */
export function LeftOnHosts({ hasAgents, arePulled }: LeftOnHostsProps) {
  return (
    <>
      {hasAgents && <UninstallAgent />}
      {arePulled && (
        <p>On hosts that are pulled over SSH, remove the line of this service from authorized_keys.</p>
      )}
    </>
  );
}
