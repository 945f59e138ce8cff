import { notificationEvents, severities } from '@plimsoll/model';
import { z } from 'zod';

const hostShape = z.object({ id: z.string(), display_name: z.string() });

const itemShape = z.object({
  id: z.string(),
  event: z.enum(notificationEvents),
  /** What it is about: the external id of an advisory, a feed, a user; empty if only its hosts are. */
  subject: z.string(),
  at: z.iso.datetime(),
  severity: z.enum(severities).nullable(),
  /** Null: it is not about hosts. At most `mostHosts`, by name. */
  hosts: z.array(hostShape).nullable(),
  host_count: z.number(),
  data: z.record(z.string(), z.unknown()),
});

/** One event of a message, as far as the receiver may know it. */
export type DeliveryItem = z.output<typeof itemShape>;

const itemsShape = z.object({ events: z.array(itemShape), omitted: z.number() });

/** What a delivery is about: at most `mostItems` events, and the number of others. */
export type DeliveryItems = z.output<typeof itemsShape>;

/** Hosts that one item names. */
export const mostHosts = 200;
/** Events that one message names. */
export const mostItems = 200;

/** The stored items of a delivery. */
export function parseItems(stored: unknown): DeliveryItems {
  return itemsShape.parse(stored);
}

/** Adds events to those of a waiting delivery; an event about the same subject gets the hosts of both. */
export function addItems(to: DeliveryItems, added: readonly DeliveryItem[]): DeliveryItems {
  const events = [...to.events];
  let { omitted } = to;
  for (const item of added) {
    const at = events.findIndex(({ event, subject }) => event === item.event && subject === item.subject);
    const same = events[at];
    if (same !== undefined) events[at] = merged(same, item);
    else if (events.length < mostItems) events.push(item);
    else omitted += 1;
  }
  return { events, omitted };
}

function merged(first: DeliveryItem, second: DeliveryItem): DeliveryItem {
  if (first.hosts === null || second.hosts === null) return { ...second, id: first.id };
  const known = new Set(first.hosts.map(({ id }) => id));
  const others = second.hosts.filter(({ id }) => !known.has(id));
  const repeated = second.hosts.length - others.length;
  return {
    ...second,
    id: first.id,
    hosts: [...first.hosts, ...others].slice(0, mostHosts),
    host_count: first.host_count + second.host_count - repeated,
  };
}
