import type { ServerEvent, ServerEventName } from '@plimsoll/contract';
import type { Change } from '@plimsoll/db';

/** Entries of one event; for more, fetching again is cheaper. */
const mostEntries = 100;

/** Shortest intervals between two events of the same name, in milliseconds. */
export interface EventPauses {
  readonly pauseMs: number;
  /** Of events that make clients fetch whole lists. */
  readonly longPauseMs: number;
}

/** The pauses in force. */
export const eventPauses: EventPauses = { pauseMs: 1_000, longPauseMs: 5_000 };

const listed = ['host', 'pull_job', 'upload', 'feed'] as const;
type Listed = (typeof listed)[number];

/** Changes waiting to become events: merged, reported once per item, at a limited rate. */
export interface ChangeWindow {
  add(change: Change): void;
  /** Notes that changes may have been missed: clients have to fetch everything again. */
  addGap(): void;
  /** Returns the events that are due and removes their changes. */
  take(nowMs: number): readonly ServerEvent[];
  /** When the next event is due; null if none waits. */
  dueMs(nowMs: number): number | null;
}

interface Bucket {
  readonly entries: Map<string, { readonly kind: Change['kind']; readonly item: unknown }>;
  overflowed: boolean;
  notBeforeMs: number;
}

/** An empty window. */
export function createChangeWindow({ pauseMs, longPauseMs }: EventPauses): ChangeWindow {
  const buckets = new Map<Listed, Bucket>(
    listed.map((name) => [name, { entries: new Map(), overflowed: false, notBeforeMs: 0 }]),
  );
  const fleet = { changed: false, notBeforeMs: 0 };
  const bucketOf = (name: Listed): Bucket => {
    const bucket = buckets.get(name);
    if (bucket === undefined) throw new Error(`no bucket ${name}`);
    return bucket;
  };
  return {
    add(change) {
      if (change.kind === 'session') return;
      const name = eventOf(change.kind);
      const bucket = bucketOf(name);
      if (name === 'host' || name === 'feed') fleet.changed = true;
      if (change.items === null) overflow(bucket);
      else for (const item of change.items) put(bucket, change.kind, item);
    },
    addGap() {
      for (const bucket of buckets.values()) {
        overflow(bucket);
        bucket.notBeforeMs = 0;
      }
      fleet.changed = true;
      fleet.notBeforeMs = 0;
    },
    take(nowMs) {
      const events: ServerEvent[] = [];
      const lost: ServerEventName[] = [];
      for (const [name, bucket] of buckets) {
        if (!isFilled(bucket) || nowMs < bucket.notBeforeMs) continue;
        if (bucket.overflowed) lost.push(name);
        else events.push(toEvent(name, bucket));
        bucket.notBeforeMs = nowMs + (bucket.overflowed ? longPauseMs : pauseMs);
        bucket.entries.clear();
        bucket.overflowed = false;
      }
      if (fleet.changed && nowMs >= fleet.notBeforeMs) {
        if (lost.length === listed.length) lost.push('fleet');
        else events.push({ name: 'fleet', data: {} });
        fleet.changed = false;
        fleet.notBeforeMs = nowMs + longPauseMs;
      }
      if (lost.length > 0) events.push({ name: 'resync', data: { events: lost } });
      return events;
    },
    dueMs(nowMs) {
      const waiting = [...buckets.values()].filter(isFilled).map(({ notBeforeMs }) => notBeforeMs);
      if (fleet.changed) waiting.push(fleet.notBeforeMs);
      return waiting.length === 0 ? null : Math.max(nowMs, Math.min(...waiting));
    },
  };
}

function eventOf(kind: Exclude<Change['kind'], 'session'>): Listed {
  switch (kind) {
    case 'host_created':
    case 'host_changed':
    case 'host_deleted':
      return 'host';
    case 'pull_job':
    case 'upload':
    case 'feed':
      return kind;
    default:
      return kind satisfies never;
  }
}

function isFilled({ entries, overflowed }: Bucket): boolean {
  return overflowed || entries.size > 0;
}

function overflow(bucket: Bucket): void {
  bucket.overflowed = true;
  bucket.entries.clear();
}

/** Keeps only the last change of an item, except that a new host stays new until it was reported. */
function put(bucket: Bucket, kind: Change['kind'], item: string | { readonly id: string }): void {
  if (bucket.overflowed) return;
  const key = typeof item === 'string' ? item : item.id;
  const before = bucket.entries.get(key);
  const isStillNew = before?.kind === 'host_created' && kind === 'host_changed';
  bucket.entries.set(key, isStillNew ? before : { kind, item });
  if (bucket.entries.size > mostEntries) overflow(bucket);
}

function toEvent(name: Listed, { entries }: Bucket): ServerEvent {
  const all = [...entries.values()];
  const of = (kind: Change['kind']) => all.filter((entry) => entry.kind === kind).map(({ item }) => item);
  const data = {
    host: () => ({
      created: of('host_created'),
      changed: of('host_changed'),
      deleted: of('host_deleted'),
    }),
    pull_job: () => ({ pull_jobs: of('pull_job') }),
    upload: () => ({ uploads: of('upload') }),
    feed: () => ({ feed_ids: of('feed') }),
  }[name]();
  return { name, data } as ServerEvent; // Items have the form that `Change` has for their kind.
}
