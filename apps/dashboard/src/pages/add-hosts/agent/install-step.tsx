import type { ReactNode } from 'react';
import { Notice } from '../../../design/notice.tsx';
import { CopyField } from '../../../design/text/copy-field.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import styles from '../add-hosts.module.css';
import { Step } from '../step.tsx';
import { InstallWarnings } from './install-warnings.tsx';
import type { IssuedToken } from './issued-token.ts';

interface InstallStepProps {
  /** Null: the secret was shown before and is not known any more. */
  readonly issued: IssuedToken | null;
  readonly another: ReactNode;
}

/** The command that enrols a host. */
export function InstallStep({ issued, another }: InstallStepProps) {
  return (
    <Step number={1} title="Run this on the host" actions={another} takesFocus={issued !== null}>
      {issued === null ? (
        <Notice tone="neutral">
          <p>
            The command was shown when the token was made, and is not known any more. If you do not have it,
            make another token.
          </p>
        </Notice>
      ) : (
        <Command issued={issued} />
      )}
    </Step>
  );
}

function Command({ issued }: { readonly issued: IssuedToken }) {
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
