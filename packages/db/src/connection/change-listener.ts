import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../database.ts';

/** What a transaction changed, as its triggers tell it. `items` is null where they were too many to list. */
export type Change =
  | {
      readonly kind: 'host_created' | 'host_changed' | 'host_deleted' | 'feed';
      readonly items: readonly string[] | null;
    }
  /** Ids of users, or of tokens, that may open nothing any more. */
  | { readonly kind: 'session'; readonly items: readonly string[] | null }
  | { readonly kind: 'pull_job'; readonly items: readonly ChangedPullJob[] | null }
  | { readonly kind: 'upload'; readonly items: readonly ChangedUpload[] | null };

/** A pull that is new or has another status. */
export interface ChangedPullJob {
  readonly id: string;
  readonly host_id: string;
  readonly status: string;
}

/** An upload that has another state. */
export interface ChangedUpload {
  readonly id: string;
  readonly host_id: string;
  readonly state: string;
}

/** Who wants to know of changes. */
export interface ChangeObserver {
  onChange(change: Change): void;
  /** From now on nothing is missed; what happened before, since the connection was lost, was. */
  onListening(): void;
  /** The connection is lost, or could not be made; it is tried again by itself. */
  onLost(error: unknown): void;
}

/** A connection that listens. */
export interface ChangeListener {
  close(): Promise<void>;
}

const channel = 'plimsoll_changes';
const shortestRetryMs = 250;
const longestRetryMs = 10_000;
/** A connection whose other end went without a word is found out by asking. */
const probeMs = 10_000;
const probeLimitMs = 5_000;

const kinds: ReadonlySet<unknown> = new Set<Change['kind']>([
  'host_created',
  'host_changed',
  'host_deleted',
  'feed',
  'session',
  'pull_job',
  'upload',
]);

/** Listens to what all processes change, on a connection of its own, and comes back whenever that is lost. */
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
      // Aborted while waiting: the loop sees it.
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

/** Listens until the connection is lost, with what it was lost by, or `signal` ends it. */
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
      // Aborted while waiting: the loop sees it.
      await delay(probeMs, undefined, { signal: over.signal }).catch(() => undefined);
      if (!over.signal.aborted) await client.query('SELECT 1');
    }
    if (!signal.aborted) throw over.signal.reason;
  } finally {
    signal.removeEventListener('abort', onAbort);
    // A server that is gone answers no goodbye; nobody waits for it.
    client.end().catch(() => undefined);
  }
}

/** Null for what another version of the service says that this one does not know, and for what is no JSON. */
function changeIn(payload: string): Change | null {
  const said = jsonIn(payload);
  const isKnown = typeof said === 'object' && said !== null && 'kind' in said && kinds.has(said.kind);
  return isKnown ? (said as Change) : null; // The triggers of our own migrations wrote it.
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Whoever may connect to the database may say anything on the channel.
    return null;
  }
}
