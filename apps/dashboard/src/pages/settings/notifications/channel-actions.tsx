import type { Channel, Delivery } from '@plimsoll/contract';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { messageOf } from '../../../api/problem.ts';
import { useChange } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { ConfirmButton, Dialog } from '../../../design/dialog.tsx';
import { TextField } from '../../../design/form/fields.tsx';
import { Form } from '../../../design/form/form.tsx';
import { Notice } from '../../../design/notice.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { printable } from '../../../design/text/printable.ts';
import { toast } from '../../../design/toasts.tsx';
import styles from '../settings.module.css';
import { EditChannel } from './edit-channel.tsx';

type Open = 'test' | 'edit' | 'secret' | null;

/** Buttons to test, change, pause and delete a channel, and to replace its secret. */
export function ChannelActions({ channel }: { readonly channel: Channel }) {
  const { id, name, kind, paused, unconfirmed } = channel;
  const [open, setOpen] = useState<Open>(null);
  const isAdmin = useMay('admin');
  const pause = useChange(
    () => api.patch('/channels/{id}', { params: { id }, body: { paused: !paused } }),
    ['/channels'],
  );
  const remove = useChange(
    () => api.delete('/channels/{id}', { params: { id } }),
    ['/channels', '/routes', '/deliveries'],
  );
  const ask = useChange(() => api.post('/channels/{id}/confirmations', { params: { id } }), ['/deliveries']);
  const of = printable(name, 60);
  const close = () => setOpen(null);
  const togglePause = () =>
    toast.outcome(pause.mutateAsync(), paused ? 'Messages are sent again.' : 'The channel is paused.');
  return (
    <span className={styles['inline']}>
      <Button look="quiet" onPress={() => setOpen('test')} aria-label={`Test the channel ${of}`}>
        Test
      </Button>
      <Button look="quiet" onPress={() => setOpen('edit')} aria-label={`Edit the channel ${of}`}>
        Edit
      </Button>
      <Button
        look="quiet"
        isPending={pause.isPending}
        onPress={togglePause}
        aria-label={`${paused ? 'Resume' : 'Pause'} the channel ${of}`}
      >
        {paused ? 'Resume' : 'Pause'}
      </Button>
      {unconfirmed.length > 0 && (
        <Button
          look="quiet"
          isPending={ask.isPending}
          onPress={() => toast.outcome(ask.mutateAsync(), 'The addresses are asked again.')}
          aria-label={`Ask the addresses of ${of} again to confirm themselves`}
        >
          Ask again
        </Button>
      )}
      {isAdmin && (kind === 'webhook' || kind === 'ntfy') && (
        <Button look="quiet" onPress={() => setOpen('secret')} aria-label={`Secret of the channel ${of}`}>
          Secret
        </Button>
      )}
      <ConfirmButton
        button="Delete"
        look="quiet"
        label={`Delete the channel ${of}`}
        title="Delete this channel?"
        confirm="Delete the channel"
        onConfirm={() => remove.mutateAsync()}
        done="The channel is deleted."
      >
        <p>
          <strong>
            <ForeignText text={name} oneLine />
          </strong>{' '}
          and its routes are deleted. What waits for it is not sent.
        </p>
      </ConfirmButton>
      <Dialog title={`Test of ${of}`} isOpen={open === 'test'} onClose={close}>
        <TestResult id={id} />
      </Dialog>
      <Dialog title={`Edit ${of}`} isOpen={open === 'edit'} onClose={close}>
        <EditChannel channel={channel} onDone={close} />
      </Dialog>
      <Dialog title={`Secret of ${of}`} isOpen={open === 'secret'} onClose={close}>
        <SecretForm channel={channel} onDone={close} />
      </Dialog>
    </span>
  );
}

function TestResult({ id }: { readonly id: string }) {
  const [result, setResult] = useState<Delivery | null>(null);
  const test = useChange(() => api.post('/channels/{id}/test', { params: { id } }), ['/deliveries']);
  const last = result?.attempts.at(-1);
  return (
    <div className={styles['stack']}>
      <p>A message that says it is a test is sent now. The result is known within a minute.</p>
      {test.error !== null && <Notice tone="critical">{messageOf(test.error)}</Notice>}
      {result?.state === 'delivered' && (
        <Notice tone="good">
          <p>
            The receiver accepted it{last?.status == null ? '' : ` (${last.status})`}. {last?.error}
          </p>
        </Notice>
      )}
      {result !== null && result.state !== 'delivered' && (
        <Notice tone="critical">
          <p>
            It was not accepted.{' '}
            <ForeignText text={last?.error ?? result.end_reason ?? 'The reason is not known.'} />
          </p>
        </Notice>
      )}
      <div>
        <Button
          look="primary"
          isPending={test.isPending}
          onPress={() => {
            setResult(null);
            test.mutate(undefined, { onSuccess: setResult });
          }}
        >
          Send a test
        </Button>
      </div>
    </div>
  );
}

function SecretForm({ channel, onDone }: { readonly channel: Channel; readonly onDone: () => void }) {
  const change = useChange(
    (secret: string) => api.patch('/channels/{id}', { params: { id: channel.id }, body: { secret } }),
    ['/channels'],
  );
  const submit = async (values: FormData) => {
    await change.mutateAsync(String(values.get('secret') ?? ''));
    toast.done('The secret is replaced.');
    onDone();
  };
  return (
    <Form submit={channel.has_secret ? 'Replace the secret' : 'Set the secret'} onSubmit={submit}>
      <TextField
        name="secret"
        label="New secret"
        type="password"
        autoComplete="off"
        minLength={16}
        maxLength={500}
        isRequired
        hint={
          channel.kind === 'webhook'
            ? 'Messages are signed with it. For a day they are signed with the one before, too, so that the receiver can change.'
            : 'An access token of ntfy.'
        }
      />
    </Form>
  );
}
