import { existsSync } from 'node:fs';
import path from 'node:path';
import { describeWhere, waitFor } from '@plimsoll/testing';
import { collect, createPlaces, type Places } from '../src/index.ts';
import { atEase, collectorOf, missingForSshd, type Site, setUpSite } from './site.ts';

const never = new AbortController().signal;

describe('places', () => {
  it('are given in order, up to the limit', async () => {
    const outputs = createPlaces(1);
    const order: number[] = [];
    const first = await outputs.acquire(never);
    const rest = [1, 2, 3].map((name) =>
      outputs.acquire(never).then((giveBack) => {
        order.push(name);
        giveBack();
      }),
    );
    await Promise.resolve();
    expect(order).toEqual([]);
    first();
    await Promise.all(rest);
    expect(order).toEqual([1, 2, 3]);
  });

  it('are not lost when a waiting caller gives up', async () => {
    const outputs = createPlaces(1);
    const first = await outputs.acquire(never);
    const controller = new AbortController();
    const gone = outputs.acquire(controller.signal);
    controller.abort(new Error('too late'));
    await expect(gone).rejects.toThrow('too late');
    first();
    (await outputs.acquire(never))();
  });

  it('are given back once, even if that is called again', async () => {
    const outputs = createPlaces(1);
    const first = await outputs.acquire(never);
    first();
    first();
    await outputs.acquire(never);
    const controller = new AbortController();
    const second = outputs.acquire(controller.signal);
    controller.abort(new Error('still taken'));
    await expect(second).rejects.toThrow('still taken');
  });

  it('are at least one', () => {
    expect(() => createPlaces(0)).toThrow(TypeError);
  });
});

describeWhere(missingForSshd, 'a large output', () => {
  let site: Site;
  beforeAll(async () => {
    site = await setUpSite();
    await site.allow(null);
  });
  afterAll(() => site?.stop());

  /** One place that counts its requests. */
  function watched(): Places & { asked: number } {
    const outputs = createPlaces(1);
    const watch = {
      asked: 0,
      acquire: (signal: AbortSignal) => {
        watch.asked += 1;
        return outputs.acquire(signal);
      },
    };
    return watch;
  }

  it('is not read further while others have the places, and small outputs overtake it', async () => {
    const largeOutputs = watched();
    const giveBack = await largeOutputs.acquire(never);
    const mark = path.join(site.login.home, `all-sent-${process.pid}`);
    const text = `echo plimsoll-report 1 apt x; head -c 30000000 /dev/zero; touch ${mark}`;
    const pull = collect(site.request({ collector: collectorOf(text) }), { ...atEase(), largeOutputs });
    await waitFor('the output to be large', () => largeOutputs.asked === 2);
    expect((await collect(site.request(), { ...atEase(), largeOutputs })).kind).toBe('collected');
    expect(existsSync(mark)).toBe(false);
    giveBack();
    const result = await pull;
    expect(result).toMatchObject({
      kind: 'collected',
      output: expect.objectContaining({ length: 30_000_024 }),
    });
    await collect(site.request({ collector: collectorOf(`rm ${mark}`) }), { ...atEase(), largeOutputs });
  });

  it('keeps its place until it is released', async () => {
    const largeOutputs = watched();
    const collector = collectorOf('echo plimsoll-report 1 apt x; head -c 2000000 /dev/zero');
    const first = await collect(site.request({ collector }), { ...atEase(), largeOutputs });
    const second = collect(site.request({ collector }), { ...atEase(), largeOutputs });
    await waitFor('the second to ask', () => largeOutputs.asked === 2);
    const third = largeOutputs.acquire(AbortSignal.timeout(50));
    await expect(third).rejects.toThrow();
    if (first.kind === 'collected') first.release();
    expect((await second).kind).toBe('collected');
  });

  it("that waits longer than the pull's limit is a timeout, and frees its turn", async () => {
    const largeOutputs = watched();
    const giveBack = await largeOutputs.acquire(never);
    const collector = collectorOf('echo plimsoll-report 1 apt x; yes');
    const limits = { connectMs: 20_000, totalMs: 1_000, outputBytes: 30_000_000 };
    const request = site.request({ collector, limits });
    expect(await collect(request, { ...atEase(), largeOutputs })).toMatchObject({ code: 'timeout' });
    giveBack();
    (await largeOutputs.acquire(never))();
  });
});
