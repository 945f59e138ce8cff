import type { ServerEvent } from '@plimsoll/contract';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { send } from './client.ts';

/** The server sends a heartbeat every 15 seconds; without three of them the connection is dead. */
const silenceMs = 45_000;

interface EventReader {
  readonly signal: AbortSignal;
  /** The id of the last event that was read: the server goes on behind it, or says what to read again. */
  readonly lastId: { current: string };
  /** Called when the stream is open: what is read from now on is followed by every event about it. */
  readonly onOpen: () => void;
  readonly onEvent: (event: ServerEvent) => void;
}

/** Reads the server's events until it ends the stream. Rejects where the stream cannot be had, or breaks. */
export async function readEvents({ signal, lastId, onOpen, onEvent }: EventReader): Promise<void> {
  const quiet = new AbortController();
  let silence = setTimeout(() => quiet.abort(), silenceMs);
  try {
    const response = await send('get', '/events', {
      signal: AbortSignal.any([signal, quiet.signal]),
      headers: {
        Accept: 'text/event-stream',
        ...(lastId.current !== '' && { 'Last-Event-ID': lastId.current }),
      },
    });
    const parser = createParser({
      onEvent: (message) => {
        if (message.id !== undefined) lastId.current = message.id;
        const event = eventIn(message);
        if (event !== null) onEvent(event);
      },
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (reader === undefined) return;
    onOpen();
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      clearTimeout(silence);
      silence = setTimeout(() => quiet.abort(), silenceMs);
      parser.feed(chunk.value);
    }
  } finally {
    clearTimeout(silence);
  }
}

const known: Readonly<Record<ServerEvent['name'], true>> = {
  host: true,
  pull_job: true,
  upload: true,
  feed: true,
  fleet: true,
  resync: true,
};

/** The event of a message; null for one that this version of the dashboard knows nothing of. */
function eventIn({ event: name = '', data }: EventSourceMessage): ServerEvent | null {
  if (!Object.hasOwn(known, name)) return null;
  return { name, data: JSON.parse(data) } as ServerEvent; // as the contract has it for the name
}
