import { runHandler } from '../src/delivery.ts';

const alive = new AbortController().signal;

/** A handler that stops when its signal aborts. */
const obedient = (signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('stopped')));
  });

/** A handler that never stops. */
const deaf = () => new Promise<void>(() => undefined);

describe('runHandler', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('is done when the handler returns', async () => {
    expect(await runHandler(async () => undefined, 1_000, alive)).toEqual({ kind: 'done' });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('fails with what the handler throws, now or later', async () => {
    const error = new Error('no');
    const late = async () => {
      throw error;
    };
    const now = () => {
      throw error;
    };
    expect(await runHandler(late, 1_000, alive)).toEqual({ kind: 'failed', error });
    expect(await runHandler(now, 1_000, alive)).toEqual({ kind: 'failed', error });
  });

  it('fails with job_timeout when the time is over, whatever the handler then throws', async () => {
    const end = runHandler(obedient, 1_000, alive);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await end).toEqual({ kind: 'failed', error: expect.objectContaining({ code: 'job_timeout' }) });
  });

  it('abandons a handler that ignores its signal', async () => {
    const end = runHandler(deaf, 1_000, alive);
    await jest.advanceTimersByTimeAsync(6_000);
    expect(await end).toEqual({ kind: 'failed', error: expect.objectContaining({ code: 'job_timeout' }) });
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is done when the handler completes its work after the abort', async () => {
    const end = runHandler(
      (signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve());
        }),
      1_000,
      alive,
    );
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await end).toEqual({ kind: 'done' });
  });

  it('is interrupted by a shutdown, before it began or while it runs, whether the handler obeys its signal or not', async () => {
    for (const handler of [obedient, deaf]) {
      const shutdown = new AbortController();
      const running = runHandler(handler, 60_000, shutdown.signal);
      shutdown.abort();
      await jest.advanceTimersByTimeAsync(5_000);
      expect(await running).toEqual({ kind: 'interrupted' });
    }
    const tooLate = runHandler(async (signal) => signal.throwIfAborted(), 60_000, AbortSignal.abort());
    expect(await tooLate).toEqual({ kind: 'interrupted' });
  });
});
