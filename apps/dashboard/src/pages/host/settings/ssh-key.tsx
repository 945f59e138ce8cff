import type { HostDetail, SshAccess } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Confirm } from '../../../design/dialog.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { CopyField } from '../../../design/text/copy-field.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import styles from '../host.module.css';

interface SshKeyProps {
  readonly host: HostDetail;
  readonly ssh: SshAccess;
}

/** The public key for the host's authorized_keys, and a button that replaces it with a new key. */
export function SshKey({ host, ssh }: SshKeyProps) {
  const mayRotate = useMay('operator');
  const [isAsking, setIsAsking] = useState(false);
  const [isRotated, setIsRotated] = useState(false);
  return (
    <Panel
      title="SSH key of Plimsoll"
      actions={mayRotate && <Button onPress={() => setIsAsking(true)}>New key…</Button>}
    >
      <div className={styles['stack']}>
        {isRotated && (
          <Notice tone="good">
            <p>
              A new key was created. Add the line below to authorized_keys on the host and pull it. Remove the
              old line after the pull worked; until then the old key is also tried.
            </p>
          </Notice>
        )}
        {ssh.collector_outdated && !isRotated && (
          <Notice tone="neutral">
            <p>The host runs an older collector. Replace its line with the one below.</p>
          </Notice>
        )}
        <p>
          The line for <code>~/.ssh/authorized_keys</code> of <ForeignText text={ssh.user} mono />. The key
          can only run the collector.
        </p>
        <CopyField text={ssh.authorized_keys_line} what="line for authorized_keys" />
        <KeyFacts ssh={ssh} />
      </div>
      <NewKeyQuestion
        hostId={host.id}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onRotated={() => setIsRotated(true)}
      />
    </Panel>
  );
}

function KeyFacts({ ssh }: { readonly ssh: SshAccess }) {
  return (
    <Facts
      facts={[
        ['Fingerprint', <ForeignText key="print" text={ssh.public_key_fingerprint} mono />],
        [
          'Key pair',
          ssh.unique_key_pair ? 'Only for this host' : 'Shared by all hosts without their own key',
        ],
        ['Collector', ssh.collector_outdated ? 'Outdated on the host' : 'Current'],
      ]}
    />
  );
}

interface NewKeyQuestionProps {
  readonly hostId: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onRotated: () => void;
}

function NewKeyQuestion({ hostId, isOpen, onClose, onRotated }: NewKeyQuestionProps) {
  const rotate = useChange(
    () => api.post('/hosts/{id}/ssh/rotate-key', { params: { id: hostId } }),
    ['/hosts'],
  );
  return (
    <Confirm
      title="Create a new key for this host?"
      isOpen={isOpen}
      onClose={onClose}
      confirm="Create key"
      onConfirm={() => rotate.mutateAsync().then(onRotated)}
    >
      <p>
        Creates a key pair for this host only. Add the new line to its authorized_keys. The old key is also
        tried until the new key has worked once.
      </p>
    </Confirm>
  );
}
