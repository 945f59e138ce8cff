import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Checkbox, NumberField, TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { tagsIn } from '../../../words/tag-list.ts';
import styles from '../add-hosts.module.css';
import { ExposureField, exposureIn, type StatedExposure } from '../exposure-field.tsx';
import { TagsField } from '../tags-field.tsx';

const route = getRouteApi('/signed-in/add-hosts');

function fieldsOf(values: FormData, exposure: StatedExposure) {
  const word = (name: string) => String(values.get(name) ?? '').trim();
  const fingerprint = word('host_key_fingerprint');
  return {
    display_name: word('display_name') || word('hostname'),
    hostname: word('hostname'),
    tags: tagsIn(word('tags')),
    exposure: exposureIn(exposure),
    port: Number(word('port')),
    ssh_user: word('ssh_user'),
    frequency_minutes: Number(word('frequency_minutes')),
    unique_key_pair: values.has('unique_key_pair'),
    ...(fingerprint !== '' && { host_key_fingerprint: fingerprint }),
  };
}

/** Adds a host that is pulled over SSH. */
export function SshHostForm() {
  const navigate = route.useNavigate();
  const [exposure, setExposure] = useState<StatedExposure>('unknown');
  const add = useChange(
    (values: FormData) => api.post('/hosts/ssh', { body: fieldsOf(values, exposure) }),
    ['/hosts', '/fleet'],
  );
  const submit = async (values: FormData) => {
    const { host } = await add.mutateAsync(values);
    await navigate({ search: { way: 'ssh', host: host.id } });
  };
  return (
    <Form submit="Add the host" onSubmit={submit}>
      <TextField name="hostname" label="Hostname" isRequired hint="DNS name, IPv4 or IPv6 address." />
      <TextField
        name="display_name"
        label="Display name"
        maxLength={200}
        hint="Optional. Default: the hostname."
      />
      <TagsField />
      <ExposureField value={exposure} onChange={setExposure} />
      <div className={styles['pair']}>
        <TextField
          name="ssh_user"
          label="User"
          defaultValue="plimsoll-pull"
          isRequired
          hint="A separate account without rights. The next step shows how to create it."
        />
        <NumberField name="port" label="Port" defaultValue={22} minValue={1} maxValue={65_535} isRequired />
      </div>
      <NumberField
        name="frequency_minutes"
        label="Minutes between pulls"
        defaultValue={60}
        minValue={5}
        maxValue={10_080}
        isRequired
        hint="5 minutes to 10080 minutes (one week)."
      />
      <HostKeyField />
      <Checkbox name="unique_key_pair">Use a separate key pair for this host</Checkbox>
    </Form>
  );
}

function HostKeyField() {
  return (
    <TextField
      name="host_key_fingerprint"
      label="Fingerprint of the host key (optional)"
      placeholder="SHA256:…"
      hint={
        <>
          Printed by <code>ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub</code> on the host. Without it,
          the key of the first connection is trusted.
        </>
      }
    />
  );
}
