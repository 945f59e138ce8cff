import type { Waiver } from '@plimsoll/contract';
import { waiverEndWords, waiverKindWords } from '@plimsoll/words';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useApi, useChange } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { LongTextField, TextField } from '../../design/form/fields.tsx';
import { Form } from '../../design/form/form.tsx';
import { Facts } from '../../design/page/facts.tsx';
import { Loaded } from '../../design/states.tsx';
import { ExternalLink } from '../../design/text/external-link.tsx';
import { ForeignText } from '../../design/text/foreign-text.tsx';
import { ExactTime } from '../../design/time/time.tsx';
import { toast } from '../../design/toasts.tsx';
import { coveredInWords } from '../../words/waiver-words.ts';
import { EndField, endOfDay } from './end-field.tsx';
import { EndWaiver } from './end-waiver.tsx';
import { changedByWaivers } from './new/new-waiver-form.tsx';
import { Matched } from './waiver-columns.tsx';
import { WaiverNames } from './waiver-names.tsx';
import styles from './waivers.module.css';

interface WaiverDrawerProps {
  /** Undefined: it is closed. */
  readonly id: string | undefined;
  readonly onClose: () => void;
}

/** Side dialog: one waiver in full, with its changes. */
export function WaiverDrawer({ id, onClose }: WaiverDrawerProps) {
  return (
    <Dialog title="Waiver" isOpen={id !== undefined} onClose={onClose} side>
      {id !== undefined && <Shown key={id} id={id} />}
    </Dialog>
  );
}

function Shown({ id }: { readonly id: string }) {
  const query = useApi('/waivers/{id}', { params: { id } });
  return (
    <Loaded query={query} what="Reading the waiver">
      {(waiver) => <InFull waiver={waiver} />}
    </Loaded>
  );
}

function InFull({ waiver }: { readonly waiver: Waiver }) {
  const isOperator = useMay('operator');
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing) return <EditWaiver waiver={waiver} onDone={() => setIsEditing(false)} />;
  return (
    <div className={styles['stack']}>
      <p>
        <strong>{coveredInWords(waiver)}</strong>: {waiverKindWords[waiver.kind].meaning}
      </p>
      <p className={styles['words']}>
        <ForeignText text={waiver.reason} />
      </p>
      <Facts facts={factsOf(waiver)} />
      <WaiverNames waiver={waiver} />
      {isOperator && waiver.ended_at === null && (
        <div className={styles['buttons']}>
          <Button onPress={() => setIsEditing(true)}>Extend or change…</Button>
          <EndWaiver waiver={waiver} />
        </div>
      )}
    </div>
  );
}

function factsOf(waiver: Waiver) {
  const { kind, created_by, created_at, expires_at, ended_at, end_cause, ended_by, ticket_url, origin } =
    waiver;
  return [
    ['Kind', waiverKindWords[kind].words],
    ['By', <ForeignText key="by" text={created_by} />],
    ['Since', <ExactTime key="since" at={created_at} />],
    ['Until', <ExactTime key="until" at={expires_at} />],
    ...(ended_at === null
      ? [['Concerns now', <Matched key="matched" waiver={waiver} />] as const]
      : [
          [
            'Ended',
            <span key="ended">
              <ExactTime at={ended_at} />
              {end_cause !== null && `, ${waiverEndWords[end_cause]}`}
              {ended_by !== null && (
                <>
                  {' by '}
                  <ForeignText text={ended_by} />
                </>
              )}
            </span>,
          ] as const,
        ]),
    [
      'Ticket',
      ticket_url === null ? (
        'none'
      ) : (
        <ExternalLink key="ticket" url={ticket_url}>
          <ForeignText text={ticket_url} oneLine />
        </ExternalLink>
      ),
    ],
    ...(origin === null ? [] : [['Imported from', <ForeignText key="origin" text={origin} />] as const]),
  ] as const;
}

interface EditWaiverProps {
  readonly waiver: Waiver;
  readonly onDone: () => void;
}

/** Changes reason, ticket and end of a waiver. What it covers never changes. */
function EditWaiver({ waiver, onDone }: EditWaiverProps) {
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
