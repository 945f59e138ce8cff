import type { HostDetail } from '@plimsoll/contract';
import { useState } from 'react';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { DeleteHost } from '../delete-host.tsx';
import styles from '../host.module.css';
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
  const mustCompare = ssh !== null && ssh.other_host_key !== null;
  return (
    <div className={styles['stack']}>
      {mustCompare && key}
      <HostIdentity host={host} />
      {mayChange && <NameForm key={host.display_name} host={host} />}
      {mayChange && <TagsEditor host={host} />}
      {ssh !== null && mayChange && <PullSettings host={host} ssh={ssh} />}
      {ssh !== null && <SshKey host={host} ssh={ssh} />}
      {!mustCompare && key}
      {mayChange && <ReportUpload host={host} />}
      {mayChange && <Delete host={host} />}
    </div>
  );
}

function Delete({ host }: { readonly host: HostDetail }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Panel title="Delete this host">
      <div className={styles['stack']}>
        <p>This deletes its reports, snapshots, findings, pulls and tokens.</p>
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
