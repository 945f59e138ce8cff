import { AppError, type HostId } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { createPasswords } from '../src/auth/passwords.ts';
import { createSizedTurns } from '../src/uploads/sized-turns.ts';
import { createUploadGate } from '../src/uploads/upload-gate.ts';
import { createRefusedHosts } from '../src/uploads/upload-refusals.ts';

const mebibyte = 1024 * 1024;

/** A promise that the test settles. */
function promised() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

describe('passwords', () => {
  it('limit the number of waiting calls and refuse the others for a while', async () => {
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
  it('refuses what does not fit beside uploads in progress, and has room again afterwards', async () => {
    const gate = createUploadGate({ bytesPerSender: 256 * mebibyte, largeBytes: 256 * mebibyte });
    const held = promised();
    const first = gate.use(
      'a',
      async (room) => {
        room.take(200 * mebibyte);
        await held.promise;
      },
      never,
    );
    const reserving = (bytes: number) => gate.use('b', async (room) => room.take(bytes), never);
    await expect(reserving(100 * mebibyte)).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: expect.any(Number),
    });
    await expect(reserving(50 * mebibyte)).resolves.toBeUndefined();
    held.resolve();
    await first;
    await expect(reserving(250 * mebibyte)).resolves.toBeUndefined();
  });

  it('reserves room for small uploads, however many large ones there are', async () => {
    const gate = createUploadGate();
    const held = promised();
    const hold = (sender: string) =>
      gate.use(
        sender,
        async (room) => {
          room.expect(32 * mebibyte);
          for (let part = 0; part < 32; part++) room.take(mebibyte);
          await held.promise;
        },
        never,
      );
    const flood = ['a', 'b', 'c', 'd', 'e', 'f'].map(hold);
    const refused = await Promise.allSettled(flood.slice(4));
    expect(refused).toMatchObject([
      { reason: { code: 'unavailable', retryAfterSeconds: expect.any(Number) } },
      { reason: { code: 'unavailable' } },
    ]);
    const small = Array.from({ length: 64 }, (_, number) =>
      gate.use(`small ${number}`, async (room) => room.take(2 * mebibyte), never),
    );
    await expect(Promise.all(small)).resolves.toHaveLength(64);
    held.resolve();
    await expect(Promise.all(flood.slice(0, 4))).resolves.toHaveLength(4);
    await expect(gate.use('a', async (room) => room.expect(32 * mebibyte), never)).resolves.toBeUndefined();
  });

  it('refuses announced bytes that do not fit, and reserves nothing for announced bytes', async () => {
    const gate = createUploadGate({ bytes: 4 * mebibyte, largeBytes: 4 * mebibyte });
    await gate.use(
      'a',
      async (announced) => {
        announced.expect(3 * mebibyte);
        await gate.use('b', async (room) => room.take(3 * mebibyte), never);
        announced.take(3 * mebibyte);
        const expecting = gate.use('b', async (room) => room.expect(3 * mebibyte), never);
        await expect(expecting).rejects.toMatchObject({ code: 'unavailable' });
      },
      never,
    );
  });

  it('limits one sender to its share, however often it tries, and leaves the rest to others', async () => {
    const gate = createUploadGate();
    const held = promised();
    const hog = gate.use(
      'hog',
      async (room) => {
        room.take(40 * mebibyte);
        await held.promise;
      },
      never,
    );
    await expect(gate.use('hog', async (room) => room.take(1), never)).rejects.toMatchObject({
      code: 'rate_limited',
    });
    await expect(gate.use('other', async (room) => room.take(40 * mebibyte), never)).resolves.toBe(undefined);
    held.resolve();
    await hog;
    await expect(gate.use('hog', async (room) => room.take(40 * mebibyte), never)).resolves.toBe(undefined);
  });

  it('admits two uploads of a sender at a time, the next ones in turn, and refuses those above the limit', async () => {
    const gate = createUploadGate({ waiting: 2 });
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

  it('ends each wait, and drops clients that have disconnected', async () => {
    const gate = createUploadGate({ waitMs: 20 });
    const held = promised();
    const holding = [0, 1].map(() => gate.use('a', () => held.promise, never));
    await expect(gate.use('a', async () => undefined, never)).rejects.toMatchObject({ code: 'rate_limited' });
    const gone = new AbortController();
    const waiting = gate.use('a', async () => undefined, gone.signal);
    gone.abort(new Error('gone'));
    // It was not refused, so nothing is noted on its host.
    await expect(waiting).rejects.toThrow('gone');
    held.resolve();
    await Promise.all(holding);
    await expect(gate.use('a', async () => 'in', never)).resolves.toBe('in');
  });

  it('frees the memory of a failed upload', async () => {
    const gate = createUploadGate();
    const failing = gate.use(
      'a',
      async (room) => {
        room.take(40 * mebibyte);
        throw new AppError('bad_request', 'broken');
      },
      never,
    );
    await expect(failing).rejects.toMatchObject({ code: 'bad_request' });
    await expect(gate.use('a', async (room) => room.take(40 * mebibyte), never)).resolves.toBeUndefined();
  });
});

describe('turns by size', () => {
  it('are given to the smallest waiting work, then the oldest, and continue after a failure', async () => {
    const turns = createSizedTurns(1);
    const held = promised();
    const order: string[] = [];
    const take = (name: string, size: number) => turns.take(size, async () => void order.push(name));
    const failing = turns.take(9, async () => {
      await held.promise;
      throw new Error('broken');
    });
    const waiting = [take('large', 30), take('small', 2), take('middle', 5), take('small too', 2)];
    expect(order).toEqual([]);
    held.resolve();
    await expect(failing).rejects.toThrow('broken');
    await Promise.all(waiting);
    expect(order).toEqual(['small', 'small too', 'middle', 'large']);
    await expect(turns.take(1, async () => 'free')).resolves.toBe('free');
  });

  it('are limited to the given number at a time', async () => {
    const turns = createSizedTurns(2);
    const held = promised();
    let running = 0;
    let most = 0;
    const works = Array.from({ length: 5 }, (_, size) =>
      turns.take(size, async () => {
        running += 1;
        most = Math.max(most, running);
        await held.promise;
        running -= 1;
      }),
    );
    held.resolve();
    await Promise.all(works);
    expect(most).toBe(2);
  });
});

describe('hosts that were refused', () => {
  const hostId = 'b7a5a0f6-0000-4000-8000-000000000000' as HostId;
  const tooMuch = (retryAfterSeconds: number) =>
    new AppError('rate_limited', 'The host has sent too much.', { retryAfterSeconds });

  it('are refused until the time they were given, with the remaining seconds', () => {
    let nowMs = 1_000;
    const refused = createRefusedHosts(() => nowMs);
    expect(refused.find('token')).toBeNull();
    refused.note('token', hostId, tooMuch(30));
    nowMs += 12_000;
    expect(refused.find('token')).toMatchObject({
      hostId,
      error: { code: 'rate_limited', message: 'The host has sent too much.', retryAfterSeconds: 18 },
    });
    expect(refused.find('another token')).toBeNull();
    nowMs += 18_000;
    expect(refused.find('token')).toBeNull();
  });

  it('are queried again after a minute, even if their time is later', () => {
    let nowMs = 0;
    const refused = createRefusedHosts(() => nowMs);
    refused.note('token', hostId, tooMuch(3_600));
    nowMs = 59_000;
    expect(refused.find('token')?.error.retryAfterSeconds).toBe(3_541);
    nowMs = 60_000;
    expect(refused.find('token')).toBeNull();
  });

  it('are limited in number and have a time to come back', () => {
    const refused = createRefusedHosts(() => 0);
    refused.note('a', hostId, new AppError('payload_too_large', 'Too large.'));
    refused.note('b', hostId, new Error('the database is unreachable'));
    expect([refused.find('a'), refused.find('b')]).toEqual([null, null]);
    for (let number = 0; number <= 10_000; number++) refused.note(`token ${number}`, hostId, tooMuch(30));
    expect(refused.find('token 0')).toBeNull();
    expect(refused.find('token 10000')).not.toBeNull();
  });
});
