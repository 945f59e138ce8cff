import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from './database.ts';

/** A change by a transaction, as reported by triggers. `items` is null if there are too many to list. */
export type Change =
  | {
      readonly kind: 'host_created' | 'host_changed' | 'host_deleted' | 'feed';
      readonly items: readonly string[] | null;
    }
  /** Ids of users or tokens that no longer grant access. */
  | { readonly kind: 'session'; readonly items: readonly string[] | null }
  | { readonly kind: 'pull_job'; readonly items: readonly ChangedPullJob[] | null }
  | { readonly kind: 'upload'; readonly items: readonly ChangedUpload[] | null };

/** A pull that is new or has a new status. */
export interface ChangedPullJob {
  readonly id: string;
  readonly host_id: string;
  readonly status: string;
}

/** An upload with a new state. */
export interface ChangedUpload {
  readonly id: string;
  readonly host_id: string;
  readonly state: string;
}

/** Receives changes. */
export interface ChangeObserver {
  onChange(change: Change): void;
  /** Called when listening begins. Changes since the connection was lost were missed; later ones are not. */
  onListening(): void;
  /** Called when the connection is lost or could not be made. The listener reconnects by itself. */
  onLost(error: unknown): void;
}

/** A connection that listens. */
export interface ChangeListener {
  close(): Promise<void>;
}

const channel = 'plimsoll_changes';
const shortestRetryMs = 250;
const longestRetryMs = 10_000;
/** The interval of queries that detect a connection whose other end disappeared silently. */
const probeMs = 10_000;
/** A slow server is not gone: a new connection would make it read again all that changed meanwhile. */
const probeLimitMs = 30_000;

const kinds: ReadonlySet<unknown> = new Set<Change['kind']>([
  'host_created',
  'host_changed',
  'host_deleted',
  'feed',
  'session',
  'pull_job',
  'upload',
]);

/** Listens to the changes by all processes on its own connection, and reconnects whenever it is lost. */
export function listenForChanges({ pool }: Database, observer: ChangeObserver): ChangeListener {
  const closing = new AbortController();
  const run = async (): Promise<void> => {
    let pauseMs = shortestRetryMs;
    while (!closing.signal.aborted) {
      try {
        await listenOnce(pool, observer, closing.signal, () => {
          pauseMs = shortestRetryMs;
        });
      } catch (error) {
        if (!closing.signal.aborted) observer.onLost(error);
      }
      // An abort ends the wait early; the loop condition handles it.
      await delay(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestRetryMs);
    }
  };
  const running = run();
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}

/** Listens until `signal` aborts; throws the error when the connection is lost. */
async function listenOnce(
  pool: pg.Pool,
  observer: ChangeObserver,
  signal: AbortSignal,
  connected: () => void,
): Promise<void> {
  const client = new pg.Client({ ...pool.options, query_timeout: probeLimitMs });
  const over = new AbortController();
  const end = (error?: unknown) => over.abort(error ?? new Error('the connection has ended'));
  client.on('error', end);
  client.on('end', () => end());
  const onAbort = () => end();
  signal.addEventListener('abort', onAbort);
  client.on('notification', ({ payload = '' }) => {
    const change = changeIn(payload);
    if (change !== null) observer.onChange(change);
  });
  try {
    await client.connect();
    await client.query(`LISTEN ${channel}`);
    connected();
    observer.onListening();
    while (!over.signal.aborted) {
      // An abort ends the wait early; the loop condition handles it.
      await delay(probeMs, undefined, { signal: over.signal }).catch(() => undefined);
      if (!over.signal.aborted) await client.query('SELECT 1');
    }
    if (!signal.aborted) throw over.signal.reason;
  } finally {
    signal.removeEventListener('abort', onAbort);
    // A server that is gone does not answer, so do not wait for it.
    client.end().catch(() => undefined);
  }
}

/** Null for text that is not JSON and for kinds of changes that this version does not know. */
function changeIn(payload: string): Change | null {
  const parsed = jsonIn(payload);
  const isKnown = typeof parsed === 'object' && parsed !== null && 'kind' in parsed && kinds.has(parsed.kind);
  return isKnown ? (parsed as Change) : null; // Written by the triggers of the migrations.
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Any role that can connect to the database can send any text on the channel.
    return null;
  }
}
