import type { HostDetail, SshAccess } from '@plimsoll/contract';
import { Button } from '../../../design/button.tsx';
import { NumberField, TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../host.module.css';
import { useHostChange } from './use-host-change.ts';

interface PullSettingsProps {
  readonly host: HostDetail;
  readonly ssh: SshAccess;
}

/** How a host is pulled, and whether its schedule is paused. */
export function PullSettings({ host, ssh }: PullSettingsProps) {
  const change = useHostChange(host.id);
  const pause = (pull_paused: boolean) =>
    change({ pull_paused }, pull_paused ? 'The schedule is paused.' : 'The schedule is running again.').catch(
      toast.failed,
    );
  return (
    <Panel
      title="Pulls over SSH"
      actions={
        <Button onPress={() => pause(!ssh.pull_paused)}>
          {ssh.pull_paused ? 'Resume the schedule' : 'Pause the schedule'}
        </Button>
      }
    >
      <div className={styles['stack']}>
        {ssh.pull_paused && <p>The schedule is paused. The host is pulled only on request.</p>}
        <PullForm key={`${ssh.user}:${ssh.port}:${ssh.frequency_minutes}`} host={host} ssh={ssh} />
      </div>
    </Panel>
  );
}

function PullForm({ host, ssh }: PullSettingsProps) {
  const change = useHostChange(host.id);
  const save = (values: FormData) =>
    change(
      {
        ssh_user: String(values.get('ssh_user')),
        port: Number(values.get('port')),
        frequency_minutes: Number(values.get('frequency_minutes')),
      },
      'The pull settings are saved.',
    );
  return (
    <Form submit="Save pull settings" onSubmit={save}>
      <TextField name="ssh_user" label="User" defaultValue={ssh.user} maxLength={128} isRequired />
      <NumberField
        name="port"
        label="Port"
        defaultValue={ssh.port}
        minValue={1}
        maxValue={65_535}
        isRequired
      />
      <NumberField
        name="frequency_minutes"
        label="Minutes between two pulls"
        defaultValue={ssh.frequency_minutes}
        minValue={5}
        maxValue={10_080}
        isRequired
      />
    </Form>
  );
}
