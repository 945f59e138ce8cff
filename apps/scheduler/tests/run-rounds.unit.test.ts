import { createLogger, createRoundLog } from '@plimsoll/process';
import { waitFor } from '@plimsoll/testing';
import type { Round } from '../src/round.ts';
import { runRounds } from '../src/run-rounds.ts';

const unstored = { noteSuccess: async () => undefined, noteFailure: async () => undefined };
const log = createRoundLog(unstored, createLogger({ app: 'test', level: 'silent' }));

describe('running rounds', () => {
  it('starts at once, continues after a failure, and stops when the running round has ended', async () => {
    let runs = 0;
    let ended = 0;
    const failing: Round = {
      name: 'drop ended sessions',
      everyMs: 1,
      run: async () => {
        runs++;
        await Promise.resolve();
        ended++;
        throw new Error('not this time');
      },
    };
    let after = 0;
    const next: Round = {
      name: 'drop old uploads',
      everyMs: 1,
      run: async () => {
        after++;
        expect(after).toBe(ended);
      },
    };
    const running = runRounds([[failing, next]], log);
    await waitFor('several runs', () => after > 3);
    await running.stop();
    expect(ended).toBe(runs);
    const stopped = runs;
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(runs).toBe(stopped);
  });

  it('ends a round early that follows its signal', async () => {
    const stopped = new AbortController();
    let wasStopped = false;
    const endless: Round = {
      name: 'fold snapshots',
      everyMs: 1,
      run: () =>
        new Promise((_resolve, reject) => {
          stopped.signal.addEventListener('abort', () => {
            wasStopped = true;
            reject(stopped.signal.reason);
          });
        }),
    };
    await runRounds([[endless]], log, stopped).stop();
    expect(wasStopped).toBe(true);
  });
});
