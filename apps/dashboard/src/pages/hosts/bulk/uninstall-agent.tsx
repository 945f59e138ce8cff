import { CopyField } from '../../../design/text/copy-field.tsx';
import styles from '../hosts.module.css';

/** The command that removes the agent from a deleted host. */
export function UninstallAgent() {
  return (
    <div className={styles['dialog']}>
      <p>The agent can no longer report after that. To remove it, run this as root on the host:</p>
      <CopyField text="plimsoll-agent uninstall" what="uninstall command" />
    </div>
  );
}
