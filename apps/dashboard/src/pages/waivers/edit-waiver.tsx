import type { Waiver } from '@plimsoll/contract';
import { api } from '../../api/client.ts';
import { useChange } from '../../api/queries.ts';
import { Button } from '../../design/button.tsx';
import { LongTextField, TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { toast } from '../../design/toasts.tsx';
import { EndField, endOfDay } from './end-field.tsx';
import { changedByWaivers } from './new/new-waiver-form.tsx';
import styles from './waivers.module.css';

interface EditWaiverProps {
  readonly waiver: Waiver;
  readonly onDone: () => void;
}

/** Changes reason, ticket and end of a waiver. What it covers never changes. */
export function EditWaiver({ waiver, onDone }: EditWaiverProps) {
  const update = useChange((values: FormData) => {
    const word = (name: string) => String(values.get(name) ?? '').trim();
    const ticket = word('ticket_url');
    return api.patch('/waivers/{id}', {
      params: { id: waiver.id },
      body: {
        reason: word('reason'),
        ticket_url: ticket === '' ? null : ticket,
        expires_at: endOfDay(word('expires_at')),
      },
    });
  }, changedByWaivers);
  const save = async (values: FormData) => {
    await update.mutateAsync(values);
    toast.done('The waiver is changed.');
    onDone();
  };
  return (
    <div className={styles['stack']}>
      <Form submit="Save" onSubmit={save}>
        <EndField value={waiver.expires_at} />
        <LongTextField
          name="reason"
          label="Reason"
          rows={4}
          maxLength={2000}
          isRequired
          defaultValue={waiver.reason}
        />
        <TextField
          name="ticket_url"
          label="Ticket"
          type="url"
          maxLength={2000}
          defaultValue={waiver.ticket_url ?? ''}
          hint="Optional: the address of the decision."
        />
      </Form>
      <p className={styles['muted']}>
        What it covers cannot be changed: end it and accept another risk instead. Every change is in the audit
        log.
      </p>
      <div>
        <Button look="quiet" onPress={onDone}>
          Cancel
        </Button>
      </div>
    </div>
  );
}
