import { Notice } from '../../design/notice.tsx';
import styles from './add-hosts.module.css';
import { ChosenHost } from './chosen-host.tsx';
import { HostSteps } from './host-steps.tsx';
import { KeyStep } from './key-step.tsx';
import { PullStep } from './pull-step.tsx';
import { SshHostForm } from './ssh-host-form.tsx';
import { Step } from './step.tsx';

/** From a host's address to its first pull. `hostId`: it is added already. */
export function SshWay({ hostId }: { readonly hostId: string | undefined }) {
  if (hostId !== undefined) return <AddedSshHost key={hostId} id={hostId} />;
  return (
    <div className={styles['steps']}>
      <p className={styles['lead']}>
        The service visits the host and installs nothing there. Best where this server can reach hosts, but
        they cannot reach it.
      </p>
      <Step number={1} title="Say where the host is">
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
            title="The host is added"
            host={host}
            way="ssh"
            another="Add another"
            {...(host.ssh !== null && { login: `${host.ssh.user}, port ${host.ssh.port}` })}
          />
          {host.ssh === null ? (
            <Notice tone="important">
              <p>This host is not reached over SSH. Its reports come in another way.</p>
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
