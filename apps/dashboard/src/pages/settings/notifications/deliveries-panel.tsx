import type { Delivery } from '@plimsoll/contract';
import { RotateCw, Send } from 'lucide-react';
import { useState } from 'react';
import { useApiPages } from '../../../api/pages.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { Dialog } from '../../../design/dialog.tsx';
import { Select } from '../../../design/form/fields.tsx';
import { amountInWords } from '../../../design/number-words.ts';
import { Facts } from '../../../design/page/facts.tsx';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { EndlessTable } from '../../../design/table/endless-table.tsx';
import type { Column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { ExactTime, Time } from '../../../design/time/time.tsx';
import { deliveryState, deliveryWords, eventWords } from '../../../words/notification-words.ts';
import styles from '../settings.module.css';

const pageRows = 50;

/** Every message with its attempts, newest first. */
export function DeliveriesPanel() {
  const [state, setState] = useState<Delivery['state'] | 'any'>('any');
  const [opened, setOpened] = useState<Delivery | null>(null);
  const query = useApiPages('/deliveries', pageRows, { query: state === 'any' ? {} : { state } });
  const again = (
    <Button isPending={query.isFetching} onPress={() => void query.refetch()}>
      <RotateCw aria-hidden /> Refresh
    </Button>
  );
  const title =
    query.data === undefined ? 'Messages' : amountInWords(query.data.total, 'message', 'messages');
  return (
    <>
      <Panel title={title} flush actions={again}>
        <div className={`${styles['padded']} ${styles['filters']}`}>
          <Select
            label="State"
            value={state}
            onChange={setState}
            options={[
              ['any', 'Any state'],
              ['waiting', 'Waiting or trying again'],
              ['delivered', 'Delivered'],
              ['failed', 'Given up'],
              ['cancelled', 'Not sent'],
            ]}
          />
        </div>
        <Loaded query={query} what="Loading the messages">
          {({ rows }) =>
            rows.length === 0 ? (
              <Empty title="No messages" icon={Send}>
                {state === 'any'
                  ? 'Nothing was to be told since there is a route.'
                  : 'No message is in this state.'}
              </Empty>
            ) : (
              <EndlessTable
                label="Messages"
                columns={columnsWith(setOpened)}
                rows={rows}
                rowId={({ id }) => id}
                query={query}
              />
            )
          }
        </Loaded>
      </Panel>
      {opened !== null && <DeliveryDrawer delivery={opened} onClose={() => setOpened(null)} />}
    </>
  );
}

function columnsWith(open: (delivery: Delivery) => void): readonly Column<Delivery>[] {
  return [
    { id: 'when', header: 'When', width: '9rem', cell: ({ created_at }) => <Time at={created_at} /> },
    {
      id: 'what',
      header: 'What',
      width: '16rem',
      cell: ({ event, events, omitted }) => (
        <span className={styles['text']}>
          {deliveryWords[event]}
          {events.length > 1 && ` (${events.length + omitted})`}
        </span>
      ),
    },
    {
      id: 'channel',
      header: 'To',
      width: '10rem',
      from: 'medium',
      cell: ({ channel_name }) => <ForeignText text={channel_name} oneLine />,
    },
    {
      id: 'state',
      header: 'State',
      width: '14rem',
      cell: (delivery) => {
        const { words, tone } = deliveryState(delivery);
        const last = delivery.attempts.at(-1);
        const reason = delivery.state === 'delivered' ? null : (delivery.end_reason ?? last?.error ?? null);
        return (
          <span className={styles['words']}>
            <Badge tone={tone}>{words}</Badge> {reason !== null && <ForeignText text={reason} />}
          </span>
        );
      },
    },
    {
      id: 'open',
      header: 'Details',
      align: 'end',
      width: '7rem',
      cell: (delivery) => (
        <Button
          look="quiet"
          onPress={() => open(delivery)}
          aria-label={`Details of the message to ${delivery.channel_name}`}
        >
          Details
        </Button>
      ),
    },
  ];
}

function DeliveryDrawer({
  delivery,
  onClose,
}: {
  readonly delivery: Delivery;
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
    <Dialog title={deliveryWords[delivery.event]} isOpen onClose={onClose} side>
      <Facts facts={facts} />
      {events.length > 0 && (
        <section className={styles['aside']} aria-label="Events">
          <h3>{amountInWords(events.length + omitted, 'event', 'events')}</h3>
          <ul className={styles['ways']}>
            {events.map((event) => (
              <li key={`${event.event} ${event.subject}`}>
                {eventWords[event.event]}
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
