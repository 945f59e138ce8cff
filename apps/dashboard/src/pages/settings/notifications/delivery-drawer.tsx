import type { Delivery } from '@plimsoll/contract';
import { deliveryState, deliveryWords, eventWords } from '@plimsoll/words';
import { api } from '../../../api/client.ts';
import { useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { amountInWords } from '../../../design/number-words.ts';
import { Facts } from '../../../design/page/facts.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../settings.module.css';

/** A message with its events and attempts, and a button that sends it again if it was given up. */
export function DeliveryDrawer({
  delivery,
  onChange,
  onClose,
}: {
  readonly delivery: Delivery;
  readonly onChange: (delivery: Delivery) => void;
  readonly onClose: () => void;
}) {
  const { id, channel_name, route_name, created_at, due_at, next_attempt_at, attempts, events, omitted } =
    delivery;
  const facts = [
    ['State', deliveryState(delivery).words],
    ['To', <ForeignText key="to" text={channel_name} />],
    ['By the route', route_name === '' ? 'None: a test' : <ForeignText key="route" text={route_name} />],
    ['Written', <ExactTime key="created" at={created_at} />],
    ['Due', <ExactTime key="due" at={due_at} />],
    ['Next attempt', next_attempt_at === null ? 'None' : <ExactTime key="next" at={next_attempt_at} />],
    ['Delivery id', <code key="id">{id}</code>],
  ] as const;
  return (
    <Dialog title={deliveryWords[delivery.event].meaning} isOpen onClose={onClose} side>
      <Facts facts={facts} />
      {delivery.state === 'failed' && delivery.event !== 'test' && delivery.channel_id !== null && (
        <Resend id={id} onDone={onChange} />
      )}
      {events.length > 0 && (
        <section className={styles['aside']} aria-label="Events">
          <h3>{amountInWords(events.length + omitted, 'event', 'events')}</h3>
          <ul className={styles['ways']}>
            {events.map((event) => (
              <li key={`${event.event} ${event.subject}`}>
                {eventWords[event.event].meaning}
                {event.host_count > 0 && `: ${amountInWords(event.host_count, 'host', 'hosts')}`}{' '}
                {event.subject !== '' && <ForeignText text={event.subject} oneLine />}
              </li>
            ))}
          </ul>
        </section>
      )}
      <section className={styles['aside']} aria-label="Attempts">
        <h3>{amountInWords(attempts.length, 'attempt', 'attempts')}</h3>
        {attempts.length === 0 && <p className={styles['muted']}>{delivery.end_reason ?? 'Not due yet.'}</p>}
        <ol className={styles['ways']}>
          {attempts.map(({ n, started_at, outcome, status, error }) => (
            <li key={n}>
              <ExactTime at={started_at} />:{' '}
              {outcome === 'accepted'
                ? 'accepted'
                : outcome === 'failed'
                  ? 'failed'
                  : 'no result: it runs, or its process died'}
              {status !== null && ` (${status})`}. {error !== null && <ForeignText text={error} />}
            </li>
          ))}
        </ol>
      </section>
    </Dialog>
  );
}

function Resend({ id, onDone }: { readonly id: string; readonly onDone: (delivery: Delivery) => void }) {
  const resend = useChange(() => api.post('/deliveries/{id}/resend', { params: { id } }), ['/deliveries']);
  const press = () =>
    toast.outcome(resend.mutateAsync().then(onDone), 'The message is sent again, under the same id.');
  return (
    <div>
      <Button look="primary" isPending={resend.isPending} onPress={press}>
        Send again
      </Button>
    </div>
  );
}
