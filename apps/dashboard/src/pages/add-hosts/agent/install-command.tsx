import { CopyField } from '../../../design/text/copy-field.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import styles from '../add-hosts.module.css';
import { InstallWarnings } from './install-warnings.tsx';
import type { IssuedToken } from './issued-token.ts';

/** The command that enrols a host, with what it does and until when it is good. */
export function InstallCommand({ issued }: { readonly issued: IssuedToken }) {
  const { install_command, warnings, max_uses, expires_at } = issued;
  return (
    <>
      <InstallWarnings warnings={warnings} />
      <p>
        In a root shell. It installs one readable script, enrols the host, sends the first report and says
        what this server saw of it. It is shown this once, and good for{' '}
        {max_uses === 1 ? 'one host' : `${max_uses} hosts`} until <ExactTime at={expires_at} />.
      </p>
      <CopyField text={install_command} what="command" />
      <p className={styles['lead']}>
        It needs curl or wget, and a way from the host to this server. It runs the script only if its SHA-256
        is the one in the command.{' '}
        <a href="/api/v1/agent/script" download="plimsoll-agent">
          Read the script
        </a>{' '}
        before you run it. To remove the agent later: <code>plimsoll-agent uninstall</code>.
      </p>
    </>
  );
}
