import type { Group } from '@plimsoll/contract';
import { useChange } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Checkbox, TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';

interface GroupFormProps {
  readonly submit: string;
  /** The group to change; a new one without it. */
  readonly group?: Pick<Group, 'name' | 'shared'>;
  readonly onSave: (fields: { name: string; shared: boolean }) => Promise<void>;
}

/** The name of a group, and whether everybody sees it. */
export function GroupForm({ submit, group, onSave }: GroupFormProps) {
  const mayShare = useMay('operator');
  const save = useChange(onSave, ['/groups']);
  return (
    <Form
      submit={submit}
      onSubmit={(values) =>
        save.mutateAsync({ name: String(values.get('name') ?? '').trim(), shared: values.has('shared') })
      }
    >
      <TextField
        name="name"
        label="Name"
        defaultValue={group?.name ?? ''}
        maxLength={100}
        isRequired
        autoFocus
      />
      {mayShare && (
        <Checkbox name="shared" defaultSelected={group?.shared ?? false}>
          Show it to everybody; each user sees those of its hosts that they may see
        </Checkbox>
      )}
    </Form>
  );
}
