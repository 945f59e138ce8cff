import type { HostDetail, SshAccess } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { CopyField } from '../../design/copy-field.tsx';
import { Confirm } from '../../design/dialog.tsx';
import { Facts } from '../../design/facts.tsx';
import { ForeignText } from '../../design/foreign-text.tsx';
import { Notice } from '../../design/notice.tsx';
import { Panel } from '../../design/page.tsx';
import styles from './host.module.css';

interface SshKeyProps {
  readonly host: HostDetail;
  readonly ssh: SshAccess;
}

/** The key that lets the service in: the line for the host, and a way to another key. */
export function SshKey({ host, ssh }: SshKeyProps) {
  const mayRotate = useMay('operator');
  const [isAsking, setIsAsking] = useState(false);
  const [isRotated, setIsRotated] = useState(false);
  const rotate = useChange(
    () => api.post('/hosts/{id}/ssh/rotate-key', { params: { id: host.id } }),
    ['/hosts'],
  );
  return (
    <Panel
      title="Key that opens the host"
      actions={mayRotate && <Button onPress={() => setIsAsking(true)}>New key…</Button>}
    >
      <div className={styles['stack']}>
        {isRotated && (
          <Notice tone="good">
            <p>
              The host has a new key. Put the line below into its authorized_keys, pull it, and take the old
              line out once that worked: until then the old key is tried, too.
            </p>
          </Notice>
        )}
        {ssh.collector_outdated && !isRotated && (
          <Notice tone="neutral">
            <p>The host lets an older collector run. Replace its line with the one below.</p>
          </Notice>
        )}
        <p>
          The line for <code>~/.ssh/authorized_keys</code> of <ForeignText text={ssh.user} mono />. The key
          opens one program, the collector, and nothing else.
        </p>
        <CopyField text={ssh.authorized_keys_line} what="line for authorized_keys" />
        <Facts
          facts={[
            ['Fingerprint', <ForeignText key="print" text={ssh.public_key_fingerprint} mono />],
            ['Key pair', ssh.unique_key_pair ? "This host's own" : 'Shared by all hosts without their own'],
            ['Collector', ssh.collector_outdated ? 'Outdated on the host' : 'Current'],
          ]}
        />
      </div>
      <Confirm
        title="Give this host a new key?"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirm="Make a new key"
        onConfirm={async () => {
          await rotate.mutateAsync();
          setIsRotated(true);
        }}
      >
        <p>
          The host gets a key pair of its own, and its authorized_keys needs the new line. The old key is
          tried as well until the new one has worked once.
        </p>
      </Confirm>
    </Panel>
  );
}
