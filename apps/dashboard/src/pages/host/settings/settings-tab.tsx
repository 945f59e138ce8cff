import type { HostDetail } from '@plimsoll/contract';
import { useState } from 'react';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { DeleteHost } from '../delete-host.tsx';
import styles from '../host.module.css';
import { RetireHost } from '../retire-host.tsx';
import { ConnectAgent } from './connect-agent.tsx';
import { ExposureSetting } from './exposure-setting.tsx';
import { HostIdentity } from './host-identity.tsx';
import { HostKey } from './host-key.tsx';
import { NameForm } from './name-form.tsx';
import { PullSettings } from './pull-settings.tsx';
import { ReportUpload } from './report-upload.tsx';
import { SshKey } from './ssh-key.tsx';
import { TagsEditor } from './tags-editor.tsx';

/** The settings of a host; the user's role decides which of them can be changed. */
export function SettingsTab({ host }: { readonly host: HostDetail }) {
  const mayChange = useMay('operator');
  const { ssh } = host;
  const key = ssh !== null && <HostKey host={host} ssh={ssh} />;
  const isInService = host.approval_status !== 'retired';
  const mustCompare = ssh !== null && ssh.other_host_key !== null;
  return (
    <div className={styles['stack']}>
      {mustCompare && key}
      <HostIdentity host={host} />
      {mayChange && <NameForm key={host.display_name} host={host} />}
      {mayChange && <TagsEditor host={host} />}
      <ExposureSetting host={host} mayChange={mayChange} />
      {isInService && ssh !== null && mayChange && <PullSettings host={host} ssh={ssh} />}
      {ssh !== null && <SshKey host={host} ssh={ssh} />}
      {!mustCompare && key}
      {isInService && mayChange && host.onboarding_mode === 'agent' && <ConnectAgent host={host} />}
      {isInService && mayChange && <ReportUpload host={host} />}
      {isInService && mayChange && <Retire host={host} />}
      {mayChange && <Delete host={host} />}
    </div>
  );
}

function Retire({ host }: { readonly host: HostDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel title="Retire this host">
      <div className={styles['stack']}>
        <p>
          It leaves every list and total. Its tokens and pulls end, and its reports are refused. Snapshots,
          findings and history stay. It can be reinstated.
        </p>
        <div>
          <Button onPress={() => setIsOpen(true)}>Retire host…</Button>
        </div>
      </div>
      <RetireHost host={host} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </Panel>
  );
}

function Delete({ host }: { readonly host: HostDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  const isRetired = host.approval_status === 'retired';
  return (
    <Panel title="Delete this host">
      <div className={styles['stack']}>
        <p>
          This deletes its reports, snapshots, findings, pulls and tokens.{' '}
          {isRetired ? 'Until then its history is kept.' : 'To keep its history, retire it.'}
        </p>
        <div>
          <Button look="danger" onPress={() => setIsOpen(true)}>
            Delete host…
          </Button>
        </div>
      </div>
      <DeleteHost host={host} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </Panel>
  );
}
