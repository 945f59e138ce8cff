import type { SshAccess } from '@plimsoll/contract';
import { Notice } from '../../../design/notice.tsx';
import { CopyField } from '../../../design/text/copy-field.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import styles from '../add-hosts.module.css';
import { ChosenHost } from '../chosen-host.tsx';
import { HostSteps } from '../host-steps.tsx';
import { Step } from '../step.tsx';
import { accountCommands } from './account-commands.ts';
import { PullStep } from './pull-step.tsx';
import { SshHostForm } from './ssh-host-form.tsx';

/** Adds a host over SSH: from its address to its first pull. `hostId`: the added host. */
export function SshWay({ hostId }: { readonly hostId: string | undefined }) {
  if (hostId !== undefined) return <AddedSshHost key={hostId} id={hostId} />;
  return (
    <div className={styles['steps']}>
      <p className={styles['lead']}>
        Plimsoll connects to the host over SSH and installs nothing on it. Use it where this server can reach
        the hosts, but they cannot reach the server.
      </p>
      <Step number={1} title="Host details">
        <SshHostForm />
      </Step>
    </div>
  );
}

function AddedSshHost({ id }: { readonly id: string }) {
  return (
    <HostSteps id={id} way="ssh">
      {(host) => (
        <>
          <ChosenHost
            title="Host added"
            host={host}
            way="ssh"
            another="Add another"
            {...(host.ssh !== null && { login: `${host.ssh.user}, port ${host.ssh.port}` })}
          />
          {host.ssh === null ? (
            <Notice tone="important">
              <p>This host is not pulled over SSH. It uses another reporting method.</p>
            </Notice>
          ) : (
            <>
              <KeyStep ssh={host.ssh} />
              <PullStep host={host} nextPullAt={host.ssh.next_pull_at} />
            </>
          )}
        </>
      )}
    </HostSteps>
  );
}

/** The line for authorized_keys, and where to add it. */
function KeyStep({ ssh }: { readonly ssh: SshAccess }) {
  const commands = accountCommands(ssh.user, ssh.authorized_keys_line);
  return (
    <Step number={2} title="Authorise the key">
      <p>
        With this line the key can only run the collector whose hash it contains. Terminals, file transfer and
        forwarding are refused.
      </p>
      <CopyField text={ssh.authorized_keys_line} what="authorized_keys line" />
      {ssh.user === 'root' && (
        <Notice tone="important">
          <p>
            The collector does not need root. A separate account is safer: add the host with another user, and
            the commands that create the account are shown here.
          </p>
        </Notice>
      )}
      {commands !== null && (
        <>
          <h3>If the account does not exist yet</h3>
          <p>
            Run this as root. It creates the account <ForeignText text={ssh.user} mono /> without rights and
            without a password, and adds the line.
          </p>
          <CopyField text={commands} what="commands" />
        </>
      )}
      <h3>If the account exists</h3>
      <p>
        Append it as one line to <code>~/.ssh/authorized_keys</code> of <ForeignText text={ssh.user} mono />{' '}
        with an editor: a shell would remove its quotes. Only the account and root may have write access to
        the file and the folders above it; otherwise sshd ignores it.
      </p>
      <p className={styles['lead']}>
        The host needs OpenSSH 7.2 or newer, timeout, head and sha256sum. If sshd_config has AllowUsers or
        AllowGroups, add the account there.
      </p>
    </Step>
  );
}
