import { Notice } from '../../../design/notice.tsx';
import styles from '../add-hosts.module.css';
import { ChosenHost } from '../chosen-host.tsx';
import { HostSteps } from '../host-steps.tsx';
import { Step } from '../step.tsx';
import { KeyStep } from './key-step.tsx';
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
