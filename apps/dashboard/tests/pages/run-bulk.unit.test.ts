import type { Host } from '@plimsoll/contract';
import type { BulkAction } from '../../src/pages/hosts/bulk/bulk-actions.ts';
import { type BulkProgress, runBulk } from '../../src/pages/hosts/bulk/run-bulk.ts';

const hosts = Array.from({ length: 10 }, (_, number) => ({ id: String(number) }) as unknown as Host); // an action reads the id
const action = (run: BulkAction['run']): BulkAction => ({
  kind: 'approve',
  words: 'Approve',
  done: 'approved',
  leftOut: '',
  meaning: '',
  concerns: () => true,
  run,
});
const idsOf = (progress: BulkProgress) => ({
  done: progress.done.map(({ id }) => id).sort(),
  failed: progress.failed.map(({ host }) => host.id).sort(),
});

describe('an action on many hosts', () => {
  it('goes on where it fails on one, and says why', async () => {
    const refused = new Error('refused');
    const steps: number[] = [];
    const result = await runBulk(
      action(({ id }) => (Number(id) % 4 === 3 ? Promise.reject(refused) : Promise.resolve())),
      hosts,
      { tag: '', count: hosts.length, signal: new AbortController().signal },
      ({ done, failed }) => steps.push(done.length + failed.length),
    );
    expect(idsOf(result)).toEqual({ done: ['0', '1', '2', '4', '5', '6', '8', '9'], failed: ['3', '7'] });
    expect(result.failed.map(({ error }) => error)).toEqual([refused, refused]);
    expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('has four requests under way at a time', async () => {
    let running = 0;
    let most = 0;
    await runBulk(
      action(async () => {
        running += 1;
        most = Math.max(most, running);
        await new Promise(setImmediate);
        running -= 1;
      }),
      hosts,
      { tag: '', count: hosts.length, signal: new AbortController().signal },
      () => undefined,
    );
    expect(most).toBe(4);
  });

  it('begins no more once it is stopped; what was under way counts as neither', async () => {
    const stop = new AbortController();
    const begun: string[] = [];
    const result = await runBulk(
      action(async ({ id }) => {
        begun.push(id);
        if (id === '3') stop.abort();
        if (id === '0') return;
        await new Promise(setImmediate);
        throw new Error('aborted');
      }),
      hosts,
      { tag: '', count: hosts.length, signal: stop.signal },
      () => undefined,
    );
    expect(begun).toEqual(['0', '1', '2', '3']);
    expect(idsOf(result)).toEqual({ done: ['0'], failed: [] });
  });
});
