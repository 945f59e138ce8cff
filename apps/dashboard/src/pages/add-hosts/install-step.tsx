import type { ReactNode } from 'react';
import { CopyField } from '../../design/copy-field.tsx';
import { Notice } from '../../design/notice.tsx';
import { ExactTime } from '../../design/time.tsx';
import styles from './add-hosts.module.css';
import type { IssuedToken } from './issued-token.ts';
import { Step } from './step.tsx';

interface InstallStepProps {
  /** Null: its secret was shown before, and is not known any more. */
  readonly issued: IssuedToken | null;
  readonly another: ReactNode;
}

/** The one line that makes a host enrol. */
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

function Command({ issued: { install_command, max_uses, expires_at } }: { readonly issued: IssuedToken }) {
  return (
    <>
      <p>
        In a root shell. It installs one readable script and a timer, and enrols the host. It is shown this
        once, and good for {max_uses === 1 ? 'one host' : `${max_uses} hosts`} until{' '}
        <ExactTime at={expires_at} />.
      </p>
      <CopyField text={install_command} what="command" />
      {isPlainHttp(install_command) && (
        <Notice tone="important">
          <p>
            This server is reached without TLS here, and agents refuse that. Open this page by its https
            address and make the token there.
          </p>
        </Notice>
      )}
      <p className={styles['lead']}>
        It needs curl or wget, and a way from the host to this server.{' '}
        <a href="/api/v1/agent/script" download="plimsoll-agent">
          Read the script
        </a>{' '}
        before you run it.
      </p>
    </>
  );
}

/** Whether agents would be sent to a server without TLS that is not their own machine. */
function isPlainHttp(command: string): boolean {
  return /'http:\/\/(?!localhost[:/']|127\.|\[::1\])/.test(command);
}
