import type { HostDetail, SshAccess } from '@plimsoll/contract';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { ConfirmButton } from '../../../design/dialog.tsx';
import { TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Notice } from '../../../design/notice.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../host.module.css';

interface HostKeyProps {
  readonly host: HostDetail;
  readonly ssh: SshAccess;
}

/** The pinned host key; administrators can accept another one. */
export function HostKey({ host, ssh }: HostKeyProps) {
  const mayAccept = useMay('admin');
  const accept = useChange(
    (fingerprint: string) =>
      api.post('/hosts/{id}/ssh/accept-host-key', { params: { id: host.id }, body: { fingerprint } }),
    ['/hosts', '/fleet'],
  );
  const pin = async (fingerprint: string) => {
    await accept.mutateAsync(fingerprint);
    toast.done('The key is accepted. Pull the host to test it.');
  };
  const { other_host_key: other } = ssh;
  return (
    <Panel title="Host key">
      <div className={styles['stack']}>
        {other !== null && <OtherKey other={other} onAccept={mayAccept ? pin : null} />}
        <Facts
          facts={[
            ['Pinned key', <Fingerprint key="print" fingerprint={ssh.host_key_fingerprint} />],
            ['Type', ssh.host_key_type ?? 'Known after the first pull'],
            ['Pinned', ssh.host_key_pinned_at === null ? '–' : <Time key="at" at={ssh.host_key_pinned_at} />],
          ]}
        />
        {mayAccept && other === null && (
          <details>
            <summary>Pin another key</summary>
            <Form submit="Pin this key" onSubmit={(values) => pin(String(values.get('fingerprint')))}>
              <TextField
                name="fingerprint"
                label="Fingerprint"
                placeholder="SHA256:…"
                hint='As printed by "ssh-keygen -lf" on the host. Pulls fail if the host has another key.'
                isRequired
              />
            </Form>
          </details>
        )}
      </div>
    </Panel>
  );
}

function Fingerprint({ fingerprint }: { readonly fingerprint: string | null }) {
  return fingerprint === null ? (
    'None. The key of the first connection will be pinned.'
  ) : (
    <ForeignText text={fingerprint} mono />
  );
}

interface OtherKeyProps {
  readonly other: NonNullable<SshAccess['other_host_key']>;
  /** Null: the user has no permission. */
  readonly onAccept: ((fingerprint: string) => Promise<void>) | null;
}

function OtherKey({ other, onAccept }: OtherKeyProps) {
  return (
    <Notice tone="critical">
      <p>
        <strong>The host key changed</strong> <Time at={other.seen_at} />:{' '}
        <ForeignText text={`${other.type} ${other.fingerprint}`} mono />
      </p>
      <p>
        Compare it with the output of <code>ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub</code> on the
        host. Pulls fail until the keys match.
      </p>
      {onAccept !== null && (
        <div>
          <ConfirmButton
            button="Accept the new key…"
            title="Accept the new host key?"
            confirm="Accept the key"
            onConfirm={() => onAccept(other.fingerprint)}
          >
            <p>
              Accept it only if the host itself prints <ForeignText text={other.fingerprint} mono />. Any
              machine with this key will be trusted as this host.
            </p>
          </ConfirmButton>
        </div>
      )}
    </Notice>
  );
}
