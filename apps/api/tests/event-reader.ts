import { type ServerEvent, serverEventNames, serverEventSchemas } from '@plimsoll/contract';
import { waitFor } from '@plimsoll/testing';

/** A stream of events that is being read as a browser's fetch reads it. */
export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that came so far, each event held against the contract. */
  readonly events: readonly ServerEvent[];
  /** As it came. */
  text(): string;
  lastId(): string;
  isOver(): boolean;
  /** Waits for an event that fits. */
  find(fits: (event: ServerEvent) => boolean): Promise<ServerEvent>;
  untilOver(): Promise<void>;
  /** Goes away. */
  leave(): void;
}

/** Opens the events of the API at a URL. */
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
  // Broken off or ended: both is over.
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
      if (found === undefined) throw new Error('the event is gone');
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
