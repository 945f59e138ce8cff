import type { HostDetail } from '@plimsoll/contract';
import { modeWords } from '@plimsoll/words';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Facts } from '../../../design/page/facts.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import { InstallCommand } from '../../add-hosts/agent/install-command.tsx';
import type { IssuedToken } from '../../add-hosts/agent/issued-token.ts';
import { PlainHttpChoice } from '../../add-hosts/agent/plain-http-choice.tsx';
import { DeleteHost } from '../delete-host.tsx';
import styles from '../host.module.css';
import { RetireHost } from '../retire-host.tsx';
import { ExposureSetting } from './exposure-setting.tsx';
import { HostKey } from './host-key.tsx';
import { PullSettings } from './pull-settings.tsx';
import { ReportUpload } from './report-upload.tsx';
import { SshKey } from './ssh-key.tsx';
import { TagsEditor } from './tags-editor.tsx';
import { useHostChange } from './use-host-change.ts';

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

/** Renames a host in the dashboard. */
function NameForm({ host }: { readonly host: HostDetail }) {
  const change = useHostChange(host.id);
  return (
    <Panel title="Name">
      <Form
        submit="Save the name"
        onSubmit={(values) =>
          change({ display_name: String(values.get('display_name')) }, 'The name is saved.')
        }
      >
        <TextField
          name="display_name"
          label="Display name"
          defaultValue={host.display_name}
          maxLength={200}
          isRequired
        />
      </Form>
    </Panel>
  );
}

const approvalWords = { pending: 'Pending', approved: 'Approved', retired: 'Retired' };

/** Ids of a host; read-only. */
function HostIdentity({ host }: { readonly host: HostDetail }) {
  const { onboarding_mode, approval_status, machine_id, agent_version, created_at } = host;
  return (
    <Panel title="Identity">
      <Facts
        facts={[
          ['Reporting method', modeWords[onboarding_mode]],
          ['Approval', approvalWords[approval_status]],
          ['Added', <ExactTime key="added" at={created_at} />],
          ['Hostname', <ForeignText key="name" text={host.hostname} />],
          ['Machine id', machine_id === '' ? 'Not known' : <ForeignText key="id" text={machine_id} mono />],
          ...(onboarding_mode === 'agent'
            ? [
                [
                  'Agent',
                  agent_version === '' ? 'Not known' : <ForeignText key="agent" text={agent_version} />,
                ] as const,
              ]
            : []),
        ]}
      />
    </Panel>
  );
}

/** Makes the command with which an agent enrols as this host again, so that its history goes on. */
function ConnectAgent({ host }: { readonly host: HostDetail }) {
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
