import type { HostDetail } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Form } from '../../../design/form/form.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { InstallCommand } from '../../add-hosts/agent/install-command.tsx';
import type { IssuedToken } from '../../add-hosts/agent/issued-token.ts';
import { PlainHttpChoice } from '../../add-hosts/agent/plain-http-choice.tsx';
import styles from '../host.module.css';

/** Makes the command with which an agent enrols as this host again, so that its history goes on. */
export function ConnectAgent({ host }: { readonly host: HostDetail }) {
  const [issued, setIssued] = useState<IssuedToken | null>(null);
  const issue = useChange(
    (values: FormData) =>
      api.post('/registration-tokens', {
        body: {
          name: `Agent of ${host.display_name}`.slice(0, 200),
          host_id: host.id,
          allow_plain_http: values.has('allow_plain_http'),
        },
      }),
    ['/registration-tokens'],
  );
  return (
    <Panel title="Connect its agent again">
      <div className={styles['stack']}>
        <p>
          For a host that was reinstated or reinstalled, or whose agent lost its token. The host keeps its
          history, and the agent's earlier tokens end when the command is used.
        </p>
        {issued === null ? (
          <Form
            submit="Make a command for this host"
            onSubmit={async (values) => setIssued(await issue.mutateAsync(values))}
          >
            <PlainHttpChoice />
          </Form>
        ) : (
          <InstallCommand issued={issued} />
        )}
      </div>
    </Panel>
  );
}
