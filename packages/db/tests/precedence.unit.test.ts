import { setTimeout as delay } from 'node:timers/promises';
import { Precedence } from '../src/core/precedence.ts';

test('long work waits until all short work has ended', async () => {
  const precedence = new Precedence();
  const order: string[] = [];
  const short = (name: string, ms: number) =>
    precedence.run(async () => {
      await delay(ms);
      order.push(name);
    });
  const both = Promise.all([short('first', 1), short('second', 10)]);
  await precedence.giveWay();
  order.push('long');
  await both;
  expect(order).toEqual(['first', 'second', 'long']);
});

test('short work that fails ends the wait, and its error reaches its caller', async () => {
  const precedence = new Precedence();
  const failing = precedence.run(async () => {
    await delay(1);
    throw new Error('no connection');
  });
  const waiting = precedence.giveWay();
  await expect(failing).rejects.toThrow('no connection');
  await waiting;
});

test('short work that does not end holds other work for less than half a second, then for two thirds of the time', async () => {
  const precedence = new Precedence();
  let end: () => void = () => undefined;
  const endless = precedence.run(() => new Promise<void>((resolve) => (end = resolve)));
  const waitMs = async (callers = 1): Promise<number> => {
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: callers }, () => precedence.giveWay()));
    return performance.now() - startedAt;
  };
  expect(await waitMs(2)).toBeGreaterThan(250);
  // Nothing was done since then.
  expect(await waitMs()).toBeLessThan(150);
  await delay(100);
  expect(await waitMs(2)).toBeGreaterThan(150);
  end();
  await endless;
});
