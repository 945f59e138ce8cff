import type { Channel } from '@plimsoll/contract';
import { channelKindWords } from '@plimsoll/words';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { toast } from '../../../design/toasts.tsx';
import { tagsIn } from '../../../words/tag-list.ts';

/** Changes the name and the address of a channel. The address is entered anew, because a part of it is never shown. */
export function EditChannel({ channel, onDone }: { readonly channel: Channel; readonly onDone: () => void }) {
  const { id, kind, name, addresses, url, has_secret } = channel;
  const isAdmin = useMay('admin');
  const change = useChange(
    (values: FormData) => api.patch('/channels/{id}', { params: { id }, body: changesIn(values, kind) }),
    ['/channels'],
  );
  const submit = async (values: FormData) => {
    await change.mutateAsync(values);
    toast.done('The channel is changed. Messages that wait go to its new address.');
    onDone();
  };
  return (
    <Form submit="Change the channel" onSubmit={submit}>
      <TextField name="name" label="Name" defaultValue={name} maxLength={100} isRequired />
      {kind === 'email' ? (
        <TextField
          name="addresses"
          label="E-mail addresses"
          defaultValue={addresses.join(', ')}
          maxLength={5000}
          isRequired
          hint={channelKindWords.email.address}
        />
      ) : (
        (isAdmin || !has_secret) && (
          <TextField
            name="url"
            label="New address"
            type="url"
            maxLength={2000}
            hint={`Leave it empty to keep the one at ${url ?? 'the server'}.`}
          />
        )
      )}
    </Form>
  );
}

function changesIn(values: FormData, kind: Channel['kind']) {
  const word = (field: string) => String(values.get(field) ?? '').trim();
  const url = word('url');
  return {
    name: word('name'),
    ...(kind === 'email' ? { addresses: tagsIn(word('addresses')) } : url === '' ? {} : { url }),
  };
}
