import { randomBytes } from 'node:crypto';
import type { ServerEvent, ServerEventName } from '@plimsoll/contract';

/** An event with its id; a client can ask for the events after that id. */
export interface LoggedEvent {
  readonly id: string;
  readonly event: ServerEvent;
}

/** The last events of this process. Ids are not valid in another process or after a restart. */
export interface EventLog {
  append(event: ServerEvent): LoggedEvent;
  /** The id of the newest event. */
  lastId(): string;
  /** The events after an id, oldest first; null if they are not known. */
  since(id: string): readonly LoggedEvent[] | null;
}

/** A log that keeps the last `kept` events. */
export function createEventLog(kept: number): EventLog {
  const era = randomBytes(6).toString('base64url');
  let last = 0;
  const events: LoggedEvent[] = [];
  return {
    append(event) {
      last += 1;
      const logged = { id: `${era}.${last}`, event };
      events.push(logged);
      if (events.length > kept) events.shift();
      return logged;
    },
    lastId: () => `${era}.${last}`,
    since(id) {
      const [itsEra, number = ''] = id.split('.');
      const behind = last - Number(number);
      if (itsEra !== era || !/^\d{1,15}$/.test(number) || behind < 0 || behind > events.length) return null;
      return behind === 0 ? [] : events.slice(-behind);
    },
  };
}

/** An event in the stream's format: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function eventText({ id, event }: LoggedEvent): string {
  return `id: ${id}\nevent: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

/** The part of an event that a client with limited rights may read; null if nothing is left. */
export function readable(event: ServerEvent, may: ReadonlySet<ServerEventName>): ServerEvent | null {
  if (event.name !== 'resync') return may.has(event.name) ? event : null;
  const events = event.data.events.filter((name) => may.has(name));
  return events.length === 0 ? null : { name: 'resync', data: { events } };
}
