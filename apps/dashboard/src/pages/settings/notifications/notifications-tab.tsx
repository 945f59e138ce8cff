import { api } from '../../../api/client.ts';
import { useApi, useChange } from '../../../api/queries.ts';
import { useMay, useSession } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { Notice } from '../../../design/notice.tsx';
import { amountInWords } from '../../../design/number-words.ts';
import { Loaded } from '../../../design/states.tsx';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ExactTime } from '../../../design/time/time.tsx';
import { toast } from '../../../design/toasts.tsx';
import styles from '../settings.module.css';
import { BulletinsPanel } from './bulletins-panel.tsx';
import { ChannelsPanel } from './channels-panel.tsx';
import { DeliveriesPanel } from './deliveries-panel.tsx';
import { RoutesPanel } from './routes-panel.tsx';

/** Where notifications go, which events, and what became of each message. */
export function NotificationsTab() {
  const channels = useApi('/channels');
  const isAdmin = useMay('admin');
  const isLimited = useSession()?.user.tags != null;
  return (
    <div className={styles['stack']}>
      {isAdmin && <FailedEvents />}
      {!isLimited && <MissingLinks />}
      <Loaded query={channels} what="Loading the channels">
        {(rows) => (
          <div className={styles['stack']}>
            <ChannelsPanel channels={rows} />
            <RoutesPanel channels={rows} />
            <BulletinsPanel channels={rows} />
          </div>
        )}
      </Loaded>
      <DeliveriesPanel channels={channels.data ?? []} />
    </div>
  );
}

/** Says what to set if messages cannot contain links; nothing if they do, or while that is not known. */
function MissingLinks() {
  const { data: system } = useApi('/system');
  if (system === undefined || system.public_url !== null) return null;
  return (
    <Notice tone="neutral">
      <p>
        <strong>Messages and reports contain no links:</strong> the service does not know its own address. Set{' '}
        <code>api.public_url</code> (<code>PLIMSOLL_API_PUBLIC_URL</code> in its environment) to the address
        at which you open this page, for example <code>{window.location.origin}</code>, and restart the
        service.
      </p>
    </Notice>
  );
}

/** Events that could not be turned into messages; nothing without any. For admins. */
function FailedEvents() {
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
