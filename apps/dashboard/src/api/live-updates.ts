import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { applyEvent } from './apply-event.ts';
import { ApiProblem } from './problem.ts';
import { readEvents } from './read-events.ts';
import { useSession } from './session.ts';

const pollMs = 30_000;
const firstRetryMs = 1_000;
const maxRetryMs = 30_000;
/** After a stream of at least this length the retry delay starts again at firstRetryMs. */
const goodStreamMs = 15_000;
/** Upper bound of the delay that a server can ask for. */
const maxPauseMs = 120_000;

let isLive = false;
const listeners = new Set<() => void>();

function setLive(live: boolean): void {
  if (live === isLive) return;
  isLive = live;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Reads the server's events until `signal` aborts; reconnects whenever the stream ends. */
async function keepLive(client: QueryClient, signal: AbortSignal): Promise<void> {
  const lastId = { current: '' };
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    let pauseMs = 0;
    const startedAt = performance.now();
    const onOpen = () => {
      setLive(true);
      // Without an event id the server cannot say what changed before this connection.
      if (lastId.current === '') void client.invalidateQueries();
    };
    try {
      await readEvents({ signal, lastId, onOpen, onEvent: (event) => applyEvent(client, event) });
    } catch (error) {
      // The page shows that it is not live; a 401 has ended the session. 429 and 503 carry Retry-After.
      pauseMs = error instanceof ApiProblem ? (error.retryAfter ?? 0) * 1_000 : 0;
    }
    if (signal.aborted) return;
    setLive(false);
    if (performance.now() - startedAt > goodStreamMs) retryMs = firstRetryMs;
    await pause(Math.max(retryMs, Math.min(pauseMs, maxPauseMs)), signal);
    retryMs = Math.min(retryMs * 2, maxRetryMs);
  }
}

/** Waits `ms`, or less: returns early when the network comes back or `signal` aborts. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}

/**
 * Keeps queries fresh by the server's events, or by polling while the stream is down. Returns whether the stream is
 * open.
 */
export function useLiveUpdates(): boolean {
  const client = useQueryClient();
  const userId = useSession()?.user.id; // A new token of the same user keeps the stream's place.
  const live = useSyncExternalStore(subscribe, () => isLive);
  useEffect(() => {
    if (userId === undefined) return;
    const stop = new AbortController();
    void keepLive(client, stop.signal);
    return () => {
      stop.abort();
      setLive(false);
    };
  }, [client, userId]);
  useEffect(() => {
    if (live || userId === undefined) return;
    const timer = setInterval(() => void client.invalidateQueries(), pollMs);
    return () => clearInterval(timer);
  }, [client, live, userId]);
  return live;
}
