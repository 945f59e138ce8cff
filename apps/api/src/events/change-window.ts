import type { ServerEvent, ServerEventName } from '@plimsoll/contract';
import type { Change } from '@plimsoll/db';

/** An event has so many entries at most; beyond that, fetching again is cheaper. */
const mostEntries = 100;
/** The same event comes no more often than this. */
const pauseMs = 1_000;
/** What makes clients fetch whole lists comes no more often than this. */
const longPauseMs = 5_000;

const listed = ['host', 'pull_job', 'upload', 'feed'] as const;
type Listed = (typeof listed)[number];

/** Changes on their way to becoming events: gathered, each thing told once, and never in a flood. */
export interface ChangeWindow {
  add(change: Change): void;
  /** Whatever happened meanwhile was not heard: everything is to be fetched again. */
  addGap(): void;
  /** The events that are due now; what they tell is forgotten. */
  take(nowMs: number): readonly ServerEvent[];
  /** When there will be something to take; null if nothing waits. */
  dueMs(nowMs: number): number | null;
}

interface Bucket {
  readonly entries: Map<string, { readonly kind: Change['kind']; readonly item: unknown }>;
  overflowed: boolean;
  notBeforeMs: number;
}

/** An empty window. */
export function createChangeWindow(): ChangeWindow {
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

/** Of one thing only the last is told; a host that is new stays new until somebody has been told of it. */
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
  return { name, data } as ServerEvent; // Items are as `Change` has them for the kind they came with.
}
