import type { Channel } from '@plimsoll/contract';
import { channelKindWords } from '@plimsoll/words';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Dialog } from '../../../design/dialog.tsx';
import { Select, TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { toast } from '../../../design/toasts.tsx';
import { limitIn, tagsIn } from '../../../words/tag-list.ts';

interface NewChannelProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const kinds = Object.entries(channelKindWords).map(
  ([kind, { words }]) => [kind as Channel['kind'], words] as const, // the keys of the record
);

/** Adds a channel. */
export function NewChannel({ isOpen, onClose }: NewChannelProps) {
  return (
    <Dialog title="New channel" isOpen={isOpen} onClose={onClose}>
      <ChannelForm onDone={onClose} />
    </Dialog>
  );
}

function channelIn(values: FormData, kind: Channel['kind']) {
  const word = (name: string) => String(values.get(name) ?? '').trim();
  const secret = word('secret');
  return {
    name: word('name'),
    kind,
    tags: limitIn(word('tags')),
    ...(kind === 'email' ? { addresses: tagsIn(word('addresses')) } : { url: word('url') }),
    ...(secret === '' ? {} : { secret }),
  };
}

function ChannelForm({ onDone }: { readonly onDone: () => void }) {
  const [kind, setKind] = useState<Channel['kind']>('webhook');
  const isAdmin = useMay('admin');
  const add = useChange(
    (values: FormData) => api.post('/channels', { body: channelIn(values, kind) }),
    ['/channels'],
  );
  const submit = async (values: FormData) => {
    await add.mutateAsync(values);
    toast.done('The channel is added. Test it, then add a route.');
    onDone();
  };
  return (
    <Form submit="Add the channel" onSubmit={submit}>
      <TextField name="name" label="Name" maxLength={100} isRequired />
      <Select label="Kind" value={kind} onChange={setKind} options={kinds} />
      {kind === 'email' ? (
        <TextField
          name="addresses"
          label="E-mail addresses"
          maxLength={5000}
          isRequired
          hint={channelKindWords.email.address}
        />
      ) : (
        <TextField
          name="url"
          label="Address"
          type="url"
          maxLength={2000}
          isRequired
          hint={`${channelKindWords[kind].address} It must be on the internet, unless the setting notifications.allowed_networks has its network.`}
        />
      )}
      {isAdmin && (kind === 'webhook' || kind === 'ntfy') && (
        <TextField
          name="secret"
          label={kind === 'webhook' ? 'Secret for signatures' : 'Access token'}
          type="password"
          autoComplete="off"
          minLength={16}
          maxLength={500}
          hint="At least 16 characters. It is never shown again. Optional."
        />
      )}
      <TextField
        name="tags"
        label="Only about hosts with one of these tags"
        maxLength={1000}
        hint="Separate tags with commas. Leave it empty for all hosts that you may see."
      />
    </Form>
  );
}
