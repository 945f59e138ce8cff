import type { ServerEvent } from '@plimsoll/contract';
import { createChangeWindow, eventPauses } from '../src/events/change-window.ts';
import { createEventLog, readable } from '../src/events/event-log.ts';
import { createEventStream } from '../src/events/event-stream.ts';

const hosts = (n: number) => Array.from({ length: n }, (_, index) => `host ${index}`);
const named = (events: readonly ServerEvent[], name: string) => events.filter((event) => event.name === name);

describe('a window of changes', () => {
  it('reports a host once, and a new one as new', () => {
    const window = createChangeWindow(eventPauses);
    window.add({ kind: 'host_created', items: ['a'] });
    window.add({ kind: 'host_changed', items: ['a', 'b'] });
    window.add({ kind: 'host_changed', items: ['b', 'c'] });
    window.add({ kind: 'host_deleted', items: ['c'] });
    expect(named(window.take(0), 'host')).toEqual([
      { name: 'host', data: { created: ['a'], changed: ['b'], deleted: ['c'] } },
    ]);
    expect([window.take(10_000), window.dueMs(0)]).toEqual([[], null]);
  });

  it('reports the last state of a pull', () => {
    const window = createChangeWindow(eventPauses);
    for (const status of ['queued', 'running', 'failed'])
      window.add({ kind: 'pull_job', items: [{ id: 'p', host_id: 'h', status }] });
    expect(window.take(0)).toEqual([
      { name: 'pull_job', data: { pull_jobs: [{ id: 'p', host_id: 'h', status: 'failed' }] } },
    ]);
  });

  it.each([
    [100, 'host'],
    [101, 'resync'],
  ])('reports %d hosts with %s', (n, name) => {
    const window = createChangeWindow(eventPauses);
    window.add({ kind: 'host_changed', items: hosts(n) });
    expect(named(window.take(0), name)).toHaveLength(1);
  });

  it('gives at most a few events a second and loses none', () => {
    const window = createChangeWindow(eventPauses);
    let told = 0;
    for (let ms = 0; ms < 60_000; ms += 50) {
      window.add({ kind: 'host_changed', items: ms % 1000 < 500 ? hosts(3) : null });
      window.add({ kind: 'pull_job', items: [{ id: `${ms}`, host_id: 'h', status: 'queued' }] });
      window.add({ kind: 'upload', items: [{ id: `${ms}`, host_id: 'h', state: 'matched' }] });
      window.add({ kind: 'feed', items: ['f'] });
      told += window.take(ms).length;
    }
    expect(told).toBeLessThanOrEqual(60 * 5);
    expect(window.dueMs(60_000)).not.toBeNull();
    window.take(70_000);
    expect(window.dueMs(70_000)).toBeNull();
  });
});

describe('a log of events', () => {
  const event: ServerEvent = { name: 'fleet', data: {} };

  it('has the events after an id, as long as they are kept', () => {
    const log = createEventLog(3);
    const ids = [log.lastId(), ...Array.from({ length: 5 }, () => log.append(event).id)];
    expect(ids.map((id) => log.since(id)?.length ?? null)).toEqual([null, null, 3, 2, 1, 0]);
  });

  it('does not know events of other processes or of the future', () => {
    const [log, other] = [createEventLog(3), createEventLog(3)];
    const { id } = log.append(event);
    const next = id.replace(/\d+$/, (n) => String(Number(n) + 1));
    expect([other.lastId(), next, '', '.', `${id}.1`.slice(1)].map((text) => log.since(text))).toEqual(
      Array(5).fill(null),
    );
  });
});

it('a resync names only what the client may read', () => {
  const resync: ServerEvent = { name: 'resync', data: { events: ['host', 'feed'] } };
  expect(readable(resync, new Set(['feed', 'resync']))).toEqual({
    name: 'resync',
    data: { events: ['feed'] },
  });
  expect(readable(resync, new Set(['resync']))).toBeNull();
  expect(readable({ name: 'fleet', data: {} }, new Set(['resync']))).toBeNull();
});

it('a stream without a reader is cut and drops its waiting text', async () => {
  let closed = 0;
  const stream = createEventStream(1_000, () => {
    closed += 1;
  });
  for (let n = 0; n < 100; n += 1) stream.push('x'.repeat(100));
  expect([stream.cut.aborted, closed]).toEqual([true, 1]);
  const taken: string[] = [];
  for await (const piece of stream.pieces) taken.push(piece);
  expect([taken, closed]).toEqual([[], 1]);
});

it('frees the place of an ended stream whose client reads no more', async () => {
  const { promise, resolve } = withResolver();
  const stream = createEventStream(1_000, resolve, 1);
  stream.push('first');
  const taking = stream.pieces[Symbol.asyncIterator]();
  expect(await taking.next()).toEqual({ value: 'first', done: false });
  stream.push('second');
  stream.end();
  await promise;
  expect(stream.cut.aborted).toBe(true);
  expect((await taking.next()).done).toBe(true);
});

it('does not cut a stream whose client read everything', async () => {
  let closed = 0;
  const stream = createEventStream(1_000, () => {
    closed += 1;
  });
  stream.push('first');
  stream.end();
  const taken: string[] = [];
  for await (const piece of stream.pieces) taken.push(piece);
  expect([taken, closed, stream.cut.aborted]).toEqual([['first'], 1, false]);
});

function withResolver() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}
