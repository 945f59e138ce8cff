import type { Channel, Delivery } from '@plimsoll/contract';
import { deliveryWords } from '@plimsoll/words';
import { Select } from '../../../design/form/fields.tsx';

/** Which messages the log shows. */
export interface DeliveryFilter {
  readonly state: Delivery['state'] | 'any';
  readonly event: Delivery['event'] | 'any';
  readonly channel: string;
  readonly period: keyof typeof periods;
  /** Since when; null: ever. */
  readonly from: string | null;
}

const periods = { any: null, hour: 1, day: 24, week: 7 * 24, month: 30 * 24 } as const;

/** All messages. */
export const allDeliveries: DeliveryFilter = {
  state: 'any',
  event: 'any',
  channel: 'any',
  period: 'any',
  from: null,
};

const events = Object.entries(deliveryWords).map(
  ([event, { meaning }]) => [event as Delivery['event'], meaning] as const, // of the record
);

/** The query of GET /deliveries for a filter. */
export function queryOf({ state, event, channel, from }: DeliveryFilter) {
  return {
    ...(state === 'any' ? {} : { state }),
    ...(event === 'any' ? {} : { event }),
    ...(channel === 'any' ? {} : { channel_id: channel }),
    ...(from === null ? {} : { from }),
  };
}

interface DeliveryFiltersProps {
  readonly filter: DeliveryFilter;
  readonly channels: readonly Channel[];
  readonly onChange: (filter: DeliveryFilter) => void;
}

/** Selects by channel, event, state and time. */
export function DeliveryFilters({ filter, channels, onChange }: DeliveryFiltersProps) {
  const setPeriod = (period: DeliveryFilter['period']) => {
    const hours = periods[period];
    const from = hours === null ? null : new Date(Date.now() - hours * 3_600_000).toISOString();
    onChange({ ...filter, period, from });
  };
  return (
    <>
      <Select
        label="State"
        value={filter.state}
        onChange={(state) => onChange({ ...filter, state })}
        options={[
          ['any', 'Any state'],
          ['waiting', 'Waiting or trying again'],
          ['delivered', 'Delivered'],
          ['failed', 'Given up'],
          ['cancelled', 'Not sent'],
        ]}
      />
      <Select
        label="To the channel"
        value={filter.channel}
        onChange={(channel) => onChange({ ...filter, channel })}
        options={[['any', 'Any channel'], ...channels.map(({ id, name }) => [id, name] as const)]}
      />
      <Select
        label="About"
        value={filter.event}
        onChange={(event) => onChange({ ...filter, event })}
        options={[['any', 'Anything'], ...events]}
      />
      <Select
        label="Written"
        value={filter.period}
        onChange={setPeriod}
        options={[
          ['any', 'At any time'],
          ['hour', 'In the last hour'],
          ['day', 'In the last 24 hours'],
          ['week', 'In the last 7 days'],
          ['month', 'In the last 30 days'],
        ]}
      />
    </>
  );
}
