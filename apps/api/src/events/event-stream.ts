/** The text of one client's stream that waits to be sent. */
export interface EventStream {
  /** Ends once `end` was called and everything is taken, or at once when the stream is cut. */
  readonly pieces: AsyncIterable<string>;
  /** Aborted when the client was too slow, during the stream or at its end: the connection must be cut, not ended. */
  readonly cut: AbortSignal;
  push(text: string): void;
  end(): void;
}

/** Time for a client to read the rest when its stream ends. */
const lingerMs = 5_000;

/** A stream that is cut when more than `mostBytes` wait. `closed` is called once, when no more text will be taken. */
export function createEventStream(
  mostBytes: number,
  closed: () => void,
  longestEndMs = lingerMs,
): EventStream {
  let waiting: string[] = [];
  let bytes = 0;
  let ended = false;
  let wake: () => void = () => undefined;
  let over = false;
  let lingering: NodeJS.Timeout | null = null;
  const cut = new AbortController();
  const finish = (): void => {
    ended = true;
    if (lingering !== null) clearTimeout(lingering);
    if (!over) closed();
    over = true;
  };
  const cutOff = (): void => {
    waiting = [];
    finish();
    cut.abort();
    wake();
  };
  async function* pieces(): AsyncGenerator<string, void> {
    try {
      for (;;) {
        const text = waiting.join('');
        waiting = [];
        bytes = 0;
        if (text !== '') yield text;
        else if (ended) return;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      finish();
    }
  }
  return {
    pieces: pieces(),
    cut: cut.signal,
    push(text) {
      if (ended) return;
      waiting.push(text);
      bytes += Buffer.byteLength(text);
      if (bytes > mostBytes) cutOff();
      else wake();
    },
    end() {
      if (ended) return;
      ended = true;
      lingering = setTimeout(cutOff, longestEndMs);
      lingering.unref();
      wake();
    },
  };
}
