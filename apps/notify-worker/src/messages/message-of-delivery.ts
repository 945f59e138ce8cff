import type { DeliveryItem, DeliveryToSend } from '@plimsoll/db';
import type { NotificationEvent } from '@plimsoll/model';
import { eventWords } from '@plimsoll/words';
import { entryOfItem } from './entry-of-item.ts';
import { isSingle, type Message, mostEntries, weightOf } from './message.ts';
import { plainLine } from './plain-line.ts';

/** What a delivery says. */
export function messageOfDelivery(
  {
    id,
    kind,
    items,
    createdAt,
    channelName,
    routeName,
  }: Pick<DeliveryToSend, 'id' | 'kind' | 'items' | 'createdAt' | 'channelName' | 'routeName'>,
  publicUrl: string | null,
): Message {
  const entries = items.events.slice(0, mostEntries).map((item) => entryOfItem(item, publicUrl));
  const [first] = items.events;
  if (kind === 'test') return testMessage(id, createdAt, channelName);
  if (isSingle(kind) && first !== undefined) {
    return {
      id: first.id,
      event: first.event,
      at: first.at,
      title: entries[0]?.title ?? first.event,
      weight: weightOf(first.event, first.severity),
      entries,
      left: 0,
      data: dataOf(first),
    };
  }
  return {
    id,
    event: kind,
    at: createdAt.toISOString(),
    title: `${kind === 'digest' ? 'Digest' : 'Several events'} for ${plainLine(routeName)}: ${countsOf(items.events, items.omitted)}`,
    weight: heaviest(items.events),
    entries,
    left: items.events.length - entries.length + items.omitted,
    data: {
      route: routeName,
      events: items.events.map((item) => ({
        id: item.id,
        event: item.event,
        at: item.at,
        data: dataOf(item),
      })),
      omitted: items.omitted,
    },
  };
}

function testMessage(id: string, at: Date, channelName: string): Message {
  return {
    id,
    event: 'test',
    at: at.toISOString(),
    title: `Test of the channel ${plainLine(channelName)}`,
    weight: 'info',
    entries: [
      {
        title: 'Plimsoll can send messages here.',
        text: 'Nothing has happened: a user pressed “Send a test”.',
        url: null,
      },
    ],
    left: 0,
    data: { channel: channelName },
  };
}

function dataOf({
  subject,
  severity,
  hosts,
  host_count,
  data,
  event,
}: DeliveryItem): Record<string, unknown> {
  return {
    ...data,
    ...(event.startsWith('feed.') ? { feed_id: subject } : {}),
    ...(event.startsWith('auth.') ? { user_id: subject } : {}),
    ...(severity === null ? {} : { severity }),
    ...(hosts === null ? {} : { host_count, hosts }),
  };
}

/** `3 × new finding, 1 × hosts without a current report`, the most frequent first. */
function countsOf(items: readonly DeliveryItem[], omitted: number): string {
  const counts = new Map<NotificationEvent, number>();
  for (const { event } of items) counts.set(event, (counts.get(event) ?? 0) + 1);
  const sorted = [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  const words = sorted.map(([event, n]) => `${n} × ${eventWords[event].words}`);
  return [...words, ...(omitted > 0 ? [`${omitted} not named`] : [])].join(', ');
}

function heaviest(items: readonly DeliveryItem[]): Message['weight'] {
  const weights = new Set(items.map(({ event, severity }) => weightOf(event, severity)));
  return weights.has('urgent') ? 'urgent' : weights.has('warning') ? 'warning' : 'info';
}
