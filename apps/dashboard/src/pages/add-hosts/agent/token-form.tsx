import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Checkbox, NumberField, TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { tagsIn } from '../../../words/tag-list.ts';
import styles from '../add-hosts.module.css';
import { ExposureField, exposureIn, type StatedExposure } from '../exposure-field.tsx';
import { TagsField } from '../tags-field.tsx';
import type { IssuedToken } from './issued-token.ts';
import { PlainHttpChoice } from './plain-http-choice.tsx';

function tokenIn(values: FormData, exposure: StatedExposure) {
  return {
    name: String(values.get('name')).trim(),
    expires_in_hours: Number(values.get('expires_in_hours')),
    max_uses: Number(values.get('max_uses')),
    auto_approve: values.has('auto_approve'),
    allow_plain_http: values.has('allow_plain_http'),
    tags: tagsIn(String(values.get('tags') ?? '')),
    exposure: exposureIn(exposure),
  };
}

/** Creates a registration token. */
export function TokenForm({ onIssued }: { readonly onIssued: (token: IssuedToken) => unknown }) {
  const [exposure, setExposure] = useState<StatedExposure>('unknown');
  const issue = useChange(
    (values: FormData) => api.post('/registration-tokens', { body: tokenIn(values, exposure) }),
    ['/registration-tokens'],
  );
  return (
    <Form submit="Make the token" onSubmit={async (values) => onIssued(await issue.mutateAsync(values))}>
      <TextField
        name="name"
        label="Name"
        maxLength={200}
        defaultValue="New hosts"
        isRequired
        hint="What it is for, such as “web servers”. It is shown in the settings and in the audit log."
      />
      <TagsField />
      <ExposureField
        hint="Of the hosts that enrol with it. Due dates can depend on it."
        value={exposure}
        onChange={setExposure}
      />
      <div className={styles['pair']}>
        <NumberField
          name="expires_in_hours"
          label="Valid for, in hours"
          defaultValue={24}
          minValue={1}
          maxValue={8760}
          isRequired
        />
        <NumberField
          name="max_uses"
          label="For how many hosts"
          defaultValue={1}
          minValue={1}
          maxValue={1_000_000}
          isRequired
        />
      </div>
      <div>
        <Checkbox name="auto_approve">Approve hosts automatically</Checkbox>
        <p className={styles['lead']}>
          Otherwise a host that enrols is left out of all totals until an operator approves it. Anyone who has
          the token can enrol a host.
        </p>
      </div>
      <PlainHttpChoice />
    </Form>
  );
}
