import type { ServerEvent } from '@plimsoll/contract';
import { type Change, type Database, findHostsInScope } from '@plimsoll/db';
import { AppError, scopeKey } from '@plimsoll/model';
import type { Logger } from '@plimsoll/process';
import { createChangeWindow, type EventPauses, eventPauses } from './change-window.ts';
import { createEventLog, eventText, type LoggedEvent, readable } from './event-log.ts';
import { createEventStream, type EventStream } from './event-stream.ts';
import { createListening } from './listening.ts';
import { createScopedEvents } from './scoped-events.ts';
import { type OpenStream, requirePlace } from './stream-places.ts';
import type { Subscriber } from './subscriber.ts';

/** Limits for the streams of one process. */
export interface EventHubLimits extends EventPauses {
  readonly streams: number;
  /** Above this, the user's oldest stream ends. */
  readonly streamsPerUser: number;
  /** Bytes that may wait for one client. */
  readonly waitingBytes: number;
  readonly heartbeatMs: number;
}

/** The limits in force. Browsers open at most six connections to a server, and a person has few tabs. */
export const eventHubLimits: EventHubLimits = {
  streams: 1_000,
  streamsPerUser: 20,
  waitingBytes: 256 * 1024,
  heartbeatMs: 15_000,
  ...eventPauses,
};

/** Sends changes to clients, whichever process made them. */
export interface EventHub {
  /**
   * Ends the user's oldest stream if the user has too many, or the oldest of the user with the most if all
   * together have too many. Throws `rate_limited` if there are too many of too many users, `unavailable` while the
   * database connection for notifications is down.
   */
  open(subscriber: Subscriber): Promise<EventStream>;
  /** Ends all streams and refuses new ones. */
  close(): Promise<void>;
}

/** Clients reconnect after this time, in milliseconds. */
const retryMs = 3_000;
/** The same for clients whose stream made room for another. */
const displacedRetryMs = 30_000;
/** Changes within this time, in milliseconds, become one event. */
const gatherMs = 200;
const keptEvents = 500;
const longestTimerMs = 2 ** 31 - 1;
const retrySeconds = 30;

/** The hub of one process. Holds a database connection from the first stream on. */
export function createEventHub(options: {
  readonly database: Database;
  readonly logger: Logger;
  readonly limits: EventHubLimits;
}): EventHub {
  const { database, logger, limits } = options;
  const window = createChangeWindow(limits);
  const log = createEventLog(keptEvents);
  const streams = new Set<OpenStream>();
  const scoped = createScopedEvents(
    (scope, ids) => findHostsInScope(database, scope, ids),
    (error) => logger.warn({ err: error }, 'events of hosts with some tags not reduced'),
  );
  const listening = createListening(database, logger, { onChange, onBack });
  let flushing: NodeJS.Timeout | null = null;
  let closed = false;
  const heartbeat = setInterval(() => {
    for (const { stream } of streams) stream.push(': alive\n\n');
  }, limits.heartbeatMs);
  heartbeat.unref();

  function onChange(change: Change): void {
    if (change.kind === 'session') endSessions(change.items);
    window.add(change);
    scheduleFlush();
  }

  function onBack(): void {
    window.addGap();
    scheduleFlush();
    for (const open of streams) void endUnlessAlive(open);
  }

  function endSessions(ids: readonly string[] | null): void {
    for (const { subscriber, stream } of streams) {
      if (ids === null || ids.includes(subscriber.userId) || ids.includes(subscriber.sessionId)) stream.end();
    }
  }

  async function endUnlessAlive({ subscriber, stream }: OpenStream): Promise<void> {
    try {
      if (!(await subscriber.isAlive())) stream.end();
    } catch (error) {
      // Checked again when the database is back.
      logger.debug({ err: error }, 'session of an event stream not checked');
    }
  }

  /** Ends a stream to make room; its client comes back later than others. */
  function endFor(displaced: OpenStream): void {
    streams.delete(displaced);
    displaced.stream.push(`retry: ${displacedRetryMs}\n\n`);
    displaced.stream.end();
  }

  function scheduleFlush(): void {
    const nowMs = performance.now();
    const dueMs = window.dueMs(nowMs);
    if (flushing !== null || dueMs === null) return;
    flushing = setTimeout(flush, Math.max(gatherMs, dueMs - nowMs));
    flushing.unref();
  }

  function flush(): void {
    flushing = null;
    const events = window.take(performance.now());
    for (const event of events) tell(event);
    scheduleFlush();
  }

  function tell(event: ServerEvent): void {
    const logged = log.append(event);
    const limited = new Map<string, OpenStream[]>();
    for (const open of streams) {
      const { scope } = open.subscriber;
      if (scope.kind === 'whole_fleet') push(open, logged);
      else limited.set(scopeKey(scope), [...(limited.get(scopeKey(scope)) ?? []), open]);
    }
    for (const readers of limited.values()) void tellLimited(readers, logged);
  }

  /** Tells readers of the same scope what they may know. */
  async function tellLimited(readers: readonly OpenStream[], { id, event }: LoggedEvent): Promise<void> {
    const [first] = readers;
    if (first === undefined) return;
    for (const left of await scoped.reduce(first.subscriber.scope, event)) {
      for (const open of readers) push(open, { id, event: left });
    }
  }

  function push({ subscriber, stream }: OpenStream, { id, event }: LoggedEvent): void {
    const left = readable(event, subscriber.may);
    if (left !== null) stream.push(eventText({ id, event: left }));
  }

  return {
    async open(subscriber) {
      requirePlace(streams, subscriber.userId, limits);
      const isListening = await listening.start();
      if (closed || !isListening) throw unavailable();
      // Only now: a client that is not served displaces no other.
      const displaced = requirePlace(streams, subscriber.userId, limits);
      if (displaced !== null) endFor(displaced);
      const leftMs = Math.min(Math.max(0, subscriber.endsInMs), longestTimerMs);
      const expiry = setTimeout(() => stream.end(), leftMs);
      expiry.unref();
      const end = () => stream.end();
      const leave = subscriber.scope.kind === 'whole_fleet' ? null : scoped.join(subscriber.scope);
      const stream = createEventStream(limits.waitingBytes, () => {
        clearTimeout(expiry);
        subscriber.signal.removeEventListener('abort', end);
        streams.delete(open);
        leave?.();
      });
      const open: OpenStream = { subscriber, stream };
      streams.add(open);
      subscriber.signal.addEventListener('abort', end);
      stream.push(`retry: ${retryMs}\nid: ${log.lastId()}\n\n`);
      for (const logged of missed(log, subscriber)) stream.push(logged);
      // The token may have ended between its check and the start of listening.
      await endUnlessAlive(open);
      if (subscriber.signal.aborted) stream.end();
      return stream;
    },
    async close() {
      closed = true;
      clearInterval(heartbeat);
      if (flushing !== null) clearTimeout(flushing);
      for (const { stream } of streams) stream.end();
      await listening.close();
    },
  };
}

/** The events that a returning client has missed, as text. */
function missed(
  log: ReturnType<typeof createEventLog>,
  { lastEventId, may, scope }: Subscriber,
): readonly string[] {
  if (lastEventId === null) return [];
  const events = log.since(lastEventId);
  // Which hosts a limited reader could see when an event was sent is not known any more.
  if (events !== null && (scope.kind === 'whole_fleet' || events.length === 0)) {
    return events.flatMap(({ id, event }) => {
      const left = readable(event, may);
      return left === null ? [] : [eventText({ id, event: left })];
    });
  }
  const everything = { events: [...may].filter((name) => name !== 'resync') };
  return [eventText({ id: log.lastId(), event: { name: 'resync', data: everything } })];
}

function unavailable(): AppError {
  return new AppError('unavailable', 'Events are not available now. Try again later.', {
    retryAfterSeconds: retrySeconds,
  });
}
