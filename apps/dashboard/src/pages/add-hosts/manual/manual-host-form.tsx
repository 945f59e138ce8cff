import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { api, type RequestOf } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { tagsIn } from '../../../words/tag-list.ts';
import { ExposureField, exposureIn, type StatedExposure } from '../exposure-field.tsx';
import { TagsField } from '../tags-field.tsx';

const route = getRouteApi('/signed-in/add-hosts');

/** Adds a host whose reports are uploaded by hand. */
export function ManualHostForm() {
  const navigate = route.useNavigate();
  const [exposure, setExposure] = useState<StatedExposure>('unknown');
  const add = useChange(
    (body: RequestOf<'post', '/hosts/manual'>['body']) => api.post('/hosts/manual', { body }),
    ['/hosts', '/fleet'],
  );
  const submit = async (values: FormData) => {
    const hostname = String(values.get('hostname')).trim();
    const name = String(values.get('display_name')).trim();
    const { id } = await add.mutateAsync({
      hostname,
      display_name: name || hostname,
      tags: tagsIn(String(values.get('tags') ?? '')),
      exposure: exposureIn(exposure),
    });
    await navigate({ search: { way: 'manual', host: id } });
  };
  return (
    <Form submit="Add the host" onSubmit={submit}>
      <TextField name="hostname" label="Hostname" maxLength={253} isRequired />
      <TextField
        name="display_name"
        label="Display name"
        maxLength={200}
        hint="Optional. Default: the hostname."
      />
      <TagsField />
      <ExposureField value={exposure} onChange={setExposure} />
    </Form>
  );
}
