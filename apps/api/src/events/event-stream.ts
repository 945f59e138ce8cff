/** The text of one client's stream, waiting to be taken. */
export interface EventStream {
  /** Ends when `end` was called and all is taken, or at once when it was cut. */
  readonly pieces: AsyncIterable<string>;
  /** Aborted when the client was too slow: its connection is to be cut, not ended. */
  readonly cut: AbortSignal;
  push(text: string): void;
  end(): void;
}

/** A stream that is cut when more than `mostBytes` wait. `closed` is called once, when nobody will take any more. */
export function createEventStream(mostBytes: number, closed: () => void): EventStream {
  let waiting: string[] = [];
  let bytes = 0;
  let ended = false;
  let wake: () => void = () => undefined;
  const cut = new AbortController();
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
      ended = true;
      closed();
    }
  }
  return {
    pieces: pieces(),
    cut: cut.signal,
    push(text) {
      if (ended) return;
      waiting.push(text);
      bytes += Buffer.byteLength(text);
      if (bytes > mostBytes) {
        waiting = [];
        ended = true;
        cut.abort();
        closed();
      }
      wake();
    },
    end() {
      ended = true;
      wake();
    },
  };
}
