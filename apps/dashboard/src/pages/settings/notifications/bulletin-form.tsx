import type { Bulletin, Channel } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useApi, useChange } from '../../../api/queries.ts';
import { Dialog } from '../../../design/dialog.tsx';
import { NumberField, Select, TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { toast } from '../../../design/toasts.tsx';
import { weekdays } from '../../../words/bulletin-words.ts';

type Every = Bulletin['every'];
type About = 'all' | 'group' | 'tag';

interface BulletinFormProps {
  /** Null: a new one. */
  readonly bulletin: Bulletin | null;
  /** Channels for e-mail. */
  readonly channels: readonly Channel[];
  readonly onClose: () => void;
}

/** Adds a report by mail, or changes one; its channel stays. */
export function BulletinForm({ bulletin, channels, onClose }: BulletinFormProps) {
  const groups = useApi('/groups');
  const [channel, setChannel] = useState(bulletin?.channel_id ?? channels[0]?.id ?? '');
  const [about, setAbout] = useState<About>(aboutOf(bulletin));
  const [group, setGroup] = useState(bulletin?.group_id ?? '');
  const [every, setEvery] = useState<Every>(bulletin?.every ?? 'week');
  const [weekday, setWeekday] = useState(String(bulletin?.weekday ?? 1));
  const zone = bulletin?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const chosen = group === '' ? (groups.data?.[0]?.id ?? '') : group;
  const save = useChange(
    (values: FormData) =>
      bulletin === null
        ? api.post('/bulletins', { body: { ...bodyOf(values), channel_id: channel } })
        : api.patch('/bulletins/{id}', { params: { id: bulletin.id }, body: bodyOf(values) }),
    ['/bulletins'],
  );

  function bodyOf(values: FormData) {
    const word = (name: string) => String(values.get(name) ?? '').trim();
    const selection = {
      group_id: about === 'group' ? chosen : null,
      tag: about === 'tag' ? word('tag') : null,
    };
    const isSame =
      bulletin !== null && selection.group_id === bulletin.group_id && selection.tag === bulletin.tag;
    return {
      name: word('name'),
      ...(isSame ? {} : selection),
      every,
      weekday: Number(weekday),
      day: Number(word('day') || (bulletin?.day ?? 1)),
      at: word('at'),
      time_zone: zone,
    };
  }

  const submit = async (values: FormData) => {
    await save.mutateAsync(values);
    toast.done(bulletin === null ? 'The report is added.' : 'The report is changed.');
    onClose();
  };
  return (
    <Dialog
      title={bulletin === null ? 'New report by mail' : 'Edit the report'}
      isOpen
      onClose={onClose}
      side
    >
      <Form submit={bulletin === null ? 'Add the report' : 'Change the report'} onSubmit={submit}>
        <TextField name="name" label="Name" defaultValue={bulletin?.name ?? ''} maxLength={100} isRequired />
        <Select
          label="To the addresses of"
          value={channel}
          onChange={setChannel}
          isDisabled={bulletin !== null}
          options={channels.map(({ id, name }) => [id, name] as const)}
          hint="It is never about more hosts than you and the channel may see, at the time it is sent."
        />
        <Select
          label="About"
          value={about}
          onChange={setAbout}
          options={[
            ['all', 'All hosts that you may see'],
            ...((groups.data ?? []).length === 0 ? [] : ([['group', 'The hosts of a group']] as const)),
            ['tag', 'The hosts with a tag'],
          ]}
        />
        {about === 'group' && (
          <Select
            label="Group"
            value={chosen}
            onChange={setGroup}
            options={(groups.data ?? []).map(({ id, name }) => [id, name] as const)}
          />
        )}
        {about === 'tag' && (
          <TextField name="tag" label="Tag" defaultValue={bulletin?.tag ?? ''} maxLength={100} isRequired />
        )}
        <Select
          label="How often"
          value={every}
          onChange={setEvery}
          options={[
            ['day', 'Every day'],
            ['week', 'Every week'],
            ['month', 'Every month'],
          ]}
        />
        {every === 'week' && (
          <Select
            label="On"
            value={weekday}
            onChange={setWeekday}
            options={weekdays.map((words, n) => [String(n + 1), words] as const)}
          />
        )}
        {every === 'month' && (
          <NumberField
            name="day"
            label="On day"
            defaultValue={bulletin?.day ?? 1}
            minValue={1}
            maxValue={31}
            hint="In a shorter month on its last day."
          />
        )}
        <TextField
          name="at"
          label="At"
          type="time"
          defaultValue={bulletin?.at ?? '08:00'}
          isRequired
          hint={zone}
        />
      </Form>
    </Dialog>
  );
}

function aboutOf(bulletin: Bulletin | null): About {
  if (bulletin?.group_id != null) return 'group';
  return bulletin?.tag != null ? 'tag' : 'all';
}
