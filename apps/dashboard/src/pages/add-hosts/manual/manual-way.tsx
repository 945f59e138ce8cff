import { proposedCollector } from '@plimsoll/words';
import styles from '../add-hosts.module.css';
import { ChosenHost } from '../chosen-host.tsx';
import { HostSteps } from '../host-steps.tsx';
import { Step } from '../step.tsx';
import { CollectorStep } from './collector-step.tsx';
import { ExistingHosts } from './existing-hosts.tsx';
import { ManualHostForm } from './manual-host-form.tsx';
import { ReportStep } from './report-step.tsx';

/** Adds a host without a connection to this server: from the host to its findings. `hostId`: the chosen host. */
export function ManualWay({ hostId }: { readonly hostId: string | undefined }) {
  if (hostId !== undefined) return <ChosenManualHost key={hostId} id={hostId} />;
  return (
    <div className={styles['steps']}>
      <p className={styles['lead']}>
        Run the collector on the host and upload its report here. Use it where the host and this server have
        no network connection.
      </p>
      <Step number={1} title="Choose a host">
        <div className={styles['two']}>
          <div>
            <h3>New host</h3>
            <ManualHostForm />
          </div>
          <div>
            <h3>Existing host</h3>
            <ExistingHosts />
          </div>
        </div>
      </Step>
    </div>
  );
}

function ChosenManualHost({ id }: { readonly id: string }) {
  return (
    <HostSteps id={id} way="manual">
      {(host) => (
        <>
          <ChosenHost title="The host" host={host} way="manual" another="Another host" />
          <CollectorStep family={proposedCollector[host.os_family]} />
          <ReportStep host={host} />
        </>
      )}
    </HostSteps>
  );
}
