import type { RoundStore } from '@plimsoll/db';
import { createLogger } from '../src/logger.ts';
import { createRoundLog } from '../src/round-log.ts';

/** What a log of rounds stores, and its lines, while its clock is moved by hand. */
function logUnderTest() {
  const stored: string[] = [];
  const lines: string[] = [];
  let nowMs = 0;
  const store: Pick<RoundStore, 'noteSuccess' | 'noteFailure'> = {
    noteSuccess: async (name) => void stored.push(`${nowMs} ${name}`),
    noteFailure: async (name, message) => void stored.push(`${nowMs} ${name}: ${message}`),
  };
  const stream = { write: (line: string) => void lines.push(line) };
  const rounds = createRoundLog(store, createLogger({ app: 'test', level: 'debug', stream }), () => nowMs);
  const setTime = (ms: number) => {
    nowMs = ms;
  };
  return { rounds, stored, lines, setTime };
}
const fail = (message: string) => async () => {
  throw new Error(message);
};

it('stores and logs a round that runs every two seconds once a minute, whether it works, fails, or does both in turn', async () => {
  const { rounds, stored, lines, setTime } = logUnderTest();
  for (let ms = 0; ms < 120_000; ms += 2_000) {
    setTime(ms);
    await rounds.run('drop old uploads', async () => undefined);
    await rounds.run('drop old uploads', fail(`failure at ${ms}`));
  }
  expect(stored).toEqual([
    '0 drop old uploads',
    '0 drop old uploads: failure at 0',
    '60000 drop old uploads',
    '60000 drop old uploads: failure at 60000',
  ]);
  expect(lines.map((line) => JSON.parse(line).repeats)).toEqual([0, 29]);
});

it('stores nothing of a round that was not due, and nothing of one that fails because it is stopped', async () => {
  const { rounds, stored } = logUnderTest();
  const stopped = new AbortController();
  await rounds.run('seal audit events', async () => 'not due');
  stopped.abort();
  expect(await rounds.run('seal audit events', fail('aborted'), stopped.signal)).toBe(false);
  expect(stored).toEqual([]);
});

it('shows neither credentials nor long texts nor control characters, and the code of an error without a message', async () => {
  const { rounds, stored } = logUnderTest();
  await rounds.run('seal audit events', fail(`tcp://user:secret@log.example\n\0${'x'.repeat(5_000)}`));
  await rounds.run('sync due feeds', async () => {
    throw Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });
  });
  expect(stored[0]).toMatch(/^0 seal audit events: tcp:\/\/\[secret\]@log\.example x{400,}$/);
  expect(stored[0]?.length).toBeLessThan(600);
  expect(stored[1]).toBe('0 sync due feeds: AggregateError ECONNREFUSED');
});
