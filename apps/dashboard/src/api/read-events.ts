import type { ServerEvent } from '@plimsoll/contract';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { send } from './client.ts';

/** The server sends a heartbeat every 15 seconds; after three missing ones the connection counts as dead. */
const silenceMs = 45_000;

interface EventReader {
  readonly signal: AbortSignal;
  /** Id of the last event. The server continues after it, or sends `resync`. */
  readonly lastId: { current: string };
  /** Called when the stream is open: from now on every change has an event. */
  readonly onOpen: () => void;
  readonly onEvent: (event: ServerEvent) => void;
}

/** Reads the server's events until the server ends the stream. Rejects if the stream cannot be opened or breaks. */
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

/** The event in a message; null if its name is unknown to this version of the dashboard. */
function eventIn({ event: name = '', data }: EventSourceMessage): ServerEvent | null {
  if (!Object.hasOwn(known, name)) return null;
  return { name, data: JSON.parse(data) } as ServerEvent; // the contract's type of data for this name
}
