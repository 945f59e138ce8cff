import { type ServerEvent, serverEventNames, serverEventSchemas } from '@plimsoll/contract';
import { waitFor } from '@plimsoll/testing';

/** An event stream, read as a browser's fetch reads it. */
export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** All events so far, each checked against the contract. */
  readonly events: readonly ServerEvent[];
  /** The text as received. */
  text(): string;
  lastId(): string;
  isOver(): boolean;
  /** Waits for a matching event. */
  find(fits: (event: ServerEvent) => boolean): Promise<ServerEvent>;
  untilOver(): Promise<void>;
  /** Disconnects. */
  leave(): void;
}

/** Opens the event stream of the API at a URL. */
export async function openEvents(
  url: string,
  token: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<EventReader> {
  const gone = new AbortController();
  const response = await fetch(`${url}/api/v1/events`, {
    headers: { Authorization: `Bearer ${token}`, ...headers },
    signal: gone.signal,
  });
  const events: ServerEvent[] = [];
  let text = '';
  let rest = '';
  let lastId = '';
  let over = false;
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) {
      const piece = decoder.decode(bytes, { stream: true });
      text += piece;
      const blocks = (rest + piece).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        lastId = /^id: (.*)$/m.exec(block)?.[1] ?? lastId;
        const event = eventIn(block);
        if (event !== null) events.push(event);
      }
    }
  };
  // Both a broken and an ended stream are over.
  const reading = read()
    .catch(() => undefined)
    .finally(() => {
      over = true;
    });
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    lastId: () => lastId,
    isOver: () => over,
    async find(fits) {
      await waitFor('the event', async () => events.some(fits));
      const found = events.find(fits);
      if (found === undefined) throw new Error('the event is missing');
      return found;
    },
    untilOver: () => waitFor('the stream to end', async () => over),
    leave() {
      gone.abort();
      void reading;
    },
  };
}

function eventIn(block: string): ServerEvent | null {
  const name = serverEventNames.find((known) => block.includes(`event: ${known}\n`));
  const data = /^data: (.*)$/m.exec(block)?.[1];
  if (name === undefined || data === undefined) return null;
  return { name, data: serverEventSchemas[name].parse(JSON.parse(data)) } as ServerEvent; // parsed by its own schema
}
