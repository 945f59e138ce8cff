import { bulletinContentsSchema } from '@plimsoll/contract';
import type { DeliveryKind, NotificationEvent, Severity } from '@plimsoll/model';
import { z } from 'zod';

/** One thing that a message says; `url` leads to it in the dashboard. Plain text, never markup. */
const entryShape = z.object({
  title: z.string(),
  text: z.string(),
  url: z.string().nullable(),
});

const messageShape = z.object({
  /** The id of the event; of a digest, summary or test that of the delivery. */
  id: z.string(),
  event: z.string(),
  /** ISO 8601. */
  at: z.string(),
  title: z.string(),
  /** `urgent` asks for an interruption. */
  weight: z.enum(['urgent', 'warning', 'info']),
  entries: z.array(entryShape),
  /** Events that are not among the entries. Messages of earlier versions have only the counts in their title. */
  left: z.number().default(0),
  /** For webhooks. */
  data: z.record(z.string(), z.unknown()),
  /** Of a report by mail. */
  bulletin: z
    .object({
      contents: bulletinContentsSchema,
      /** What the next one is compared with. */
      base: z.unknown(),
      csv: z.string(),
      /** The hosts whose findings are a lower bound; empty: none, or stored by an earlier version. */
      unknownCsv: z.string().default(''),
      omittedRows: z.number(),
      omittedUnknown: z.number().default(0),
      publicUrl: z.string().nullable(),
      bulletinId: z.string(),
    })
    .optional(),
});

/** What a delivery says, the same at every attempt and for every kind of channel. */
export type Message = z.output<typeof messageShape>;

/** One thing that a message says. */
export type MessageEntry = z.output<typeof entryShape>;

/** The stored content of a delivery. */
export function parseMessage(stored: unknown): Message {
  return messageShape.parse(stored);
}

/** Entries that a message for people has; webhooks get all. */
export const mostEntries = 20;

/** Whether a message is about one event, so that its title is also that of its entry. */
export function isOneEvent({ title, entries }: Message): boolean {
  return entries.length === 1 && entries[0]?.title === title;
}

/** What is said after the entries of a message; empty: nothing. */
export function linesAfter(left: number): readonly string[] {
  return left > 0 ? [`And ${left} more: see the dashboard.`] : [];
}

/** How urgent an event is. */
export function weightOf(event: NotificationEvent, severity: Severity | null): Message['weight'] {
  switch (event) {
    case 'finding.known_exploited':
    case 'host_key.changed':
    case 'auth.lockout':
      return 'urgent';
    case 'finding.overdue':
    case 'finding.new':
      return severity === 'critical' ? 'urgent' : 'warning';
    case 'finding.due_soon':
    case 'disagreement.jumped':
    case 'host.stale':
    case 'pull.failing':
    case 'feed.failed':
    case 'feed.stale':
    case 'repository.outdated':
    case 'repository.failing':
    case 'waiver.expiring':
      return 'warning';
    case 'fix.reachable':
    case 'host.enrolled':
    case 'host.pending':
    case 'host.back':
      return 'info';
    default:
      return event satisfies never;
  }
}

/** Kinds of deliveries with more than one event, or none. */
export function isSingle(kind: DeliveryKind): kind is NotificationEvent {
  return !['digest', 'summary', 'test', 'bulletin', 'confirmation'].includes(kind);
}
