import type { HostDetail } from '@plimsoll/contract';
import { TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { useHostChange } from './use-host-change.ts';

/** Renames a host in the dashboard. */
export function NameForm({ host }: { readonly host: HostDetail }) {
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
