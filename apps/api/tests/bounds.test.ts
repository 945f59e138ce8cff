import { AppError } from '@plimsoll/model';
import { createPasswords } from '../src/auth/passwords.ts';
import { createUploadBudget } from '../src/uploads/upload-budget.ts';
import { createUploadTurns } from '../src/uploads/upload-turns.ts';

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

describe('an upload budget', () => {
  it('refuses what does not fit beside what is on its way, and has room again afterwards', async () => {
    const budget = createUploadBudget();
    const gate = promised();
    const first = budget.use(async (reserve) => {
      reserve(200 * mebibyte);
      await gate.promise;
    });
    const tooMuch = budget.use(async (reserve) => reserve(100 * mebibyte));
    await expect(tooMuch).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 10 });
    await expect(budget.use(async (reserve) => reserve(50 * mebibyte))).resolves.toBeUndefined();
    gate.resolve();
    await first;
    await expect(budget.use(async (reserve) => reserve(250 * mebibyte))).resolves.toBeUndefined();
  });

  it('frees what a failed upload had reserved', async () => {
    const budget = createUploadBudget();
    const failing = budget.use(async (reserve) => {
      reserve(256 * mebibyte);
      throw new AppError('bad_request', 'broken');
    });
    await expect(failing).rejects.toMatchObject({ code: 'bad_request' });
    await expect(budget.use(async (reserve) => reserve(256 * mebibyte))).resolves.toBeUndefined();
  });
});

describe('turns of uploads', () => {
  it('are taken one after the other by large ones, while ordinary ones go on', async () => {
    const turns = createUploadTurns();
    const gate = promised();
    const events: string[] = [];
    const work = (name: string, wait: Promise<void>) => async () => {
      events.push(`${name} begins`);
      await wait;
      events.push(`${name} ends`);
    };
    const first = turns.of(32 * mebibyte, work('first', gate.promise));
    const second = turns.of(32 * mebibyte, work('second', Promise.resolve()));
    await turns.of(mebibyte, work('ordinary', Promise.resolve()));
    gate.resolve();
    await Promise.all([first, second]);
    expect(events.indexOf('second begins')).toBeGreaterThan(events.indexOf('first ends'));
    expect(events.indexOf('ordinary ends')).toBeLessThan(events.indexOf('first ends'));
  });
});
