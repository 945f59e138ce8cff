import { createLogger } from '@plimsoll/process';
import { waitFor } from '@plimsoll/testing';
import type { Round } from '../src/rounds.ts';
import { runRounds } from '../src/run-rounds.ts';

const log = createLogger({ app: 'test', level: 'silent' });

describe('running rounds', () => {
  it('starts at once, continues after a failure, and stops when the running round has ended', async () => {
    let runs = 0;
    let ended = 0;
    const failing: Round = {
      name: 'failing',
      everyMs: 1,
      run: async () => {
        runs++;
        await Promise.resolve();
        ended++;
        throw new Error('not this time');
      },
    };
    const running = runRounds([failing], log);
    await waitFor('several runs', () => runs > 3);
    await running.stop();
    expect(ended).toBe(runs);
    const after = runs;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(runs).toBe(after);
  });

  it('ends a round early that follows its signal', async () => {
    const stopped = new AbortController();
    let wasStopped = false;
    const endless: Round = {
      name: 'endless',
      everyMs: 1,
      run: () =>
        new Promise((_resolve, reject) => {
          stopped.signal.addEventListener('abort', () => {
            wasStopped = true;
            reject(stopped.signal.reason);
          });
        }),
    };
    await runRounds([endless], log, stopped).stop();
    expect(wasStopped).toBe(true);
  });
});
