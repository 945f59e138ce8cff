import type { Channel, Delivery } from '@plimsoll/contract';
import { deliveryState, deliveryWords } from '@plimsoll/words';
import { useInfiniteQuery } from '@tanstack/react-query';
import { RotateCw, Send } from 'lucide-react';
import { useState } from 'react';
import { apiPages } from '../../../api/pages.ts';
import { Badge } from '../../../design/badge.tsx';
import { Button } from '../../../design/button.tsx';
import { amountInWords } from '../../../design/number-words.ts';
import { Panel } from '../../../design/page/page.tsx';
import { Empty, Loaded } from '../../../design/states.tsx';
import { EndlessTable } from '../../../design/table/endless-table.tsx';
import { type Column, column } from '../../../design/table/table-columns.ts';
import { ForeignText } from '../../../design/text/foreign-text.tsx';
import { Time } from '../../../design/time/time.tsx';
import styles from '../settings.module.css';
import { DeliveryDrawer } from './delivery-drawer.tsx';
import { allDeliveries, type DeliveryFilter, DeliveryFilters, queryOf } from './delivery-filters.tsx';

const pageRows = 50;
/** How often the newest messages are read: no event tells of them. */
const pollMs = 5_000;

/** Every message with its attempts, newest first. */
export function DeliveriesPanel({ channels }: { readonly channels: readonly Channel[] }) {
  const [filter, setFilter] = useState<DeliveryFilter>(allDeliveries);
  const [opened, setOpened] = useState<Delivery | null>(null);
  const query = useInfiniteQuery({
    ...apiPages('/deliveries', pageRows, { query: queryOf(filter) }),
    // A list of which further pages were read is only read again on request, whole.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : pollMs),
  });
  const { refetch } = query;
  const [isAsked, setIsAsked] = useState(false);
  const readAgain = async (): Promise<void> => {
    setIsAsked(true);
    await refetch();
    setIsAsked(false);
  };
  const again = (
    <Button isPending={isAsked} onPress={() => void readAgain()}>
      <RotateCw aria-hidden /> Refresh
    </Button>
  );
  const title =
    query.data === undefined ? 'Messages' : amountInWords(query.data.total, 'message', 'messages');
  return (
    <>
      <Panel title={title} flush actions={again}>
        <div className={`${styles['padded']} ${styles['filters']}`}>
          <DeliveryFilters filter={filter} channels={channels} onChange={setFilter} />
        </div>
        <Loaded query={query} what="Loading the messages">
          {({ rows }) =>
            rows.length === 0 ? (
              <Empty title="No messages" icon={Send}>
                {filter === allDeliveries
                  ? 'No messages are stored. What happened before a route was added is not told, and ended messages are deleted after a time (`retention.deliveries_days`).'
                  : 'No message matches the filters.'}
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
      {opened !== null && (
        <DeliveryDrawer delivery={opened} onChange={setOpened} onClose={() => setOpened(null)} />
      )}
    </>
  );
}

function columnsWith(open: (delivery: Delivery) => void): readonly Column<Delivery>[] {
  return [
    column('when', 'When', { width: '9rem', cell: ({ created_at }) => <Time at={created_at} /> }),
    column('what', 'What', {
      width: '16rem',
      cell: ({ event, events, omitted }) => (
        <span className={styles['text']}>
          {deliveryWords[event].meaning}
          {events.length > 1 && ` (${events.length + omitted})`}
        </span>
      ),
    }),
    column('channel', 'To', {
      width: '10rem',
      from: 'medium',
      cell: ({ channel_name }) => <ForeignText text={channel_name} oneLine />,
    }),
    column('state', 'State', {
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
    }),
    column('open', 'Details', {
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
    }),
  ];
}
