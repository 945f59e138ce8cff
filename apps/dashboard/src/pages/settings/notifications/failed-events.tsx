import { api } from '../../../api/client.ts';
import { useApi, useChange } from '../../../api/queries.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { amountInWords } from '../../../design/number-words.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../settings.module.css';

/** Events that could not be turned into messages; nothing without any. For admins. */
export function FailedEvents() {
  const { data } = useApi('/failed-events');
  if (data === undefined || data.length === 0) return null;
  return (
    <Notice tone="critical">
      <p>
        {amountInWords(data.length, 'event', 'events')} could not be turned into messages. This is a fault of
        Plimsoll: report it with the text below. All other events are told. After an update, try those again
        that were given up.
      </p>
      <ul className={styles['ways']}>
        {data.map(({ id, event, at, starts, error, next_try_at: next }) => (
          <li key={id}>
            {event}, <ExactTime at={at} />: <ForeignText text={error} oneLine />{' '}
            {next === null ? (
              `Given up after ${amountInWords(starts, 'attempt', 'attempts')}.`
            ) : (
              <>
                Next attempt: <ExactTime at={next} />.
              </>
            )}{' '}
            {next === null && <Retry id={id} event={event} />}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Retry({ id, event }: { readonly id: string; readonly event: string }) {
  const retry = useChange(
    () => api.post('/failed-events/{id}/retry', { params: { id } }),
    ['/failed-events', '/deliveries'],
  );
  const press = () => toast.outcome(retry.mutateAsync(), 'The event is tried again.');
  return (
    <Button look="quiet" isPending={retry.isPending} onPress={press} aria-label={`Try ${event} again`}>
      Try again
    </Button>
  );
}
