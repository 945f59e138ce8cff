import { AppError } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { createPasswords } from '../src/auth/passwords.ts';
import { createUploadGate, uploadGateLimits } from '../src/uploads/upload-gate.ts';

const mebibyte = 1024 * 1024;

/** A promise that is settled from outside. */
function promised() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe('passwords', () => {
  it('keep so many waiting and turn the others away for a while', async () => {
    const passwords = createPasswords(4);
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, () => passwords.hash('correct horse battery')),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    expect(results.length - refused.length).toBeGreaterThanOrEqual(64);
    expect(results.length - refused.length).toBeLessThanOrEqual(68);
    for (const { reason } of refused)
      expect([reason.code, reason.retryAfterSeconds]).toEqual(['rate_limited', 5]);
    await expect(
      passwords.verify('correct horse battery', await passwords.hash('correct horse battery')),
    ).resolves.toBe(true);
  });
});

const never = new AbortController().signal;

describe('an upload gate', () => {
  it('refuses what does not fit beside what is on its way, and has room again afterwards', async () => {
    const gate = createUploadGate({ ...uploadGateLimits, bytesPerSender: 256 * mebibyte });
    const held = promised();
    const first = gate.use(
      'a',
      async (reserve) => {
        reserve(200 * mebibyte);
        await held.promise;
      },
      never,
    );
    const reserving = (bytes: number) => gate.use('b', async (reserve) => reserve(bytes), never);
    await expect(reserving(100 * mebibyte)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: expect.any(Number),
    });
    await expect(reserving(50 * mebibyte)).resolves.toBeUndefined();
    held.resolve();
    await first;
    await expect(reserving(250 * mebibyte)).resolves.toBeUndefined();
  });

  it('gives one sender a share and leaves the rest to others, however many it tries', async () => {
    const gate = createUploadGate();
    const held = promised();
    const hog = gate.use(
      'hog',
      async (reserve) => {
        reserve(40 * mebibyte);
        await held.promise;
      },
      never,
    );
    await expect(gate.use('hog', async (reserve) => reserve(1), never)).rejects.toMatchObject({
      code: 'rate_limited',
    });
    await expect(gate.use('other', async (reserve) => reserve(40 * mebibyte), never)).resolves.toBe(
      undefined,
    );
    held.resolve();
    await hog;
    await expect(gate.use('hog', async (reserve) => reserve(40 * mebibyte), never)).resolves.toBe(undefined);
  });

  it('lets two of a sender in at a time, the next ones in turn, and turns away those above', async () => {
    const gate = createUploadGate({ ...uploadGateLimits, waitingPerSender: 2 });
    const gates = [promised(), promised(), promised(), promised()];
    const begun: number[] = [];
    const uploads = gates.map(({ promise }, index) =>
      gate.use(
        'a',
        async () => {
          begun.push(index);
          await promise;
        },
        never,
      ),
    );
    await expect(gate.use('a', async () => undefined, never)).rejects.toMatchObject({ code: 'rate_limited' });
    await gate.use('b', async () => undefined, never);
    expect(begun).toEqual([0, 1]);
    gates[1]?.resolve();
    await uploads[1];
    await waitFor('the next turn', () => begun.length === 3);
    expect(begun).toEqual([0, 1, 2]);
    for (const { resolve } of gates) resolve();
    await Promise.all(uploads);
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it('ends each wait, and forgets clients that have gone', async () => {
    const gate = createUploadGate({ ...uploadGateLimits, waitMs: 20 });
    const held = promised();
    const holding = [0, 1].map(() => gate.use('a', () => held.promise, never));
    await expect(gate.use('a', async () => undefined, never)).rejects.toMatchObject({ code: 'rate_limited' });
    const gone = new AbortController();
    const waiting = gate.use('a', async () => undefined, gone.signal);
    gone.abort(new Error('gone'));
    // It was not refused: nothing is noted on its host.
    await expect(waiting).rejects.toThrow('gone');
    held.resolve();
    await Promise.all(holding);
    await expect(gate.use('a', async () => 'in', never)).resolves.toBe('in');
  });

  it('frees what a failed upload had reserved', async () => {
    const gate = createUploadGate();
    const failing = gate.use(
      'a',
      async (reserve) => {
        reserve(40 * mebibyte);
        throw new AppError('bad_request', 'broken');
      },
      never,
    );
    await expect(failing).rejects.toMatchObject({ code: 'bad_request' });
    await expect(gate.use('a', async (reserve) => reserve(40 * mebibyte), never)).resolves.toBeUndefined();
  });
});
