import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { applyEvent } from './apply-event.ts';
import { ApiProblem } from './problem.ts';
import { readEvents } from './read-events.ts';
import { useSession } from './session.ts';

const pollMs = 30_000;
const firstRetryMs = 1_000;
const longestRetryMs = 30_000;
/** A stream that lasted so long was a good one: coming back begins anew, without long pauses. */
const goodStreamMs = 15_000;
/** However long the server wishes to be left alone. */
const longestPauseMs = 120_000;

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

/** Follows the server's events until it is stopped, coming back after every end of the stream. */
async function keepLive(client: QueryClient, signal: AbortSignal): Promise<void> {
  const lastId = { current: '' };
  let retryMs = firstRetryMs;
  while (!signal.aborted) {
    let pauseMs = 0;
    const startedAt = performance.now();
    const onOpen = () => {
      setLive(true);
      // Without a place to go on from, nobody tells what changed since a thing was read.
      if (lastId.current === '') void client.invalidateQueries();
    };
    try {
      await readEvents({ signal, lastId, onOpen, onEvent: (event) => applyEvent(client, event) });
    } catch (error) {
      // That it is not live is shown; a 401 has ended the session. 429 and 503 say how long to stay away.
      pauseMs = error instanceof ApiProblem ? (error.retryAfter ?? 0) * 1_000 : 0;
    }
    if (signal.aborted) return;
    setLive(false);
    if (performance.now() - startedAt > goodStreamMs) retryMs = firstRetryMs;
    await pause(Math.max(retryMs, Math.min(pauseMs, longestPauseMs)), signal);
    retryMs = Math.min(retryMs * 2, longestRetryMs);
  }
}

/** Waits, though no longer than until the network is back or nobody wants to go on. */
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

/** Keeps what is shown up to date with the server's events, or by reading it again while there are none. */
export function useLiveUpdates(): boolean {
  const client = useQueryClient();
  const token = useSession()?.token;
  const live = useSyncExternalStore(subscribe, () => isLive);
  useEffect(() => {
    if (token === undefined) return;
    const stop = new AbortController();
    void keepLive(client, stop.signal);
    return () => {
      stop.abort();
      setLive(false);
    };
  }, [client, token]);
  useEffect(() => {
    if (live || token === undefined) return;
    const timer = setInterval(() => void client.invalidateQueries(), pollMs);
    return () => clearInterval(timer);
  }, [client, live, token]);
  return live;
}
