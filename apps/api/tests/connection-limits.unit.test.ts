import { loadConfig } from '@plimsoll/config';
import { createServedClock } from '../src/connections/connection.ts';
import { limitsOfConfig, openFileLimit } from '../src/server/limits-of-config.ts';
import { chooseEvicted } from '../src/server/open-connections.ts';

const configOf = (env: Readonly<Record<string, string>>) =>
  loadConfig({ env, fileText: null, fileName: null, projectDir: '/srv' });

describe('the most connections', () => {
  it.each([
    [20_000, 10_000],
    [1_024, 723],
    [64, 16],
  ])('are, with %i files, %i', (files, most) => {
    expect(limitsOfConfig(configOf({}), files).most).toBe(most);
  });

  it.each([
    ['77', 20_000, 77],
    ['15000', 20_000, 15_000],
    ['15000', 1_024, 723],
  ])('are, where the configuration says %s, with %i files, %i', (text, files, most) => {
    expect(limitsOfConfig(configOf({ PLIMSOLL_API_MAX_CONNECTIONS: text }), files).most).toBe(most);
  });

  it('are derived from the limit of this process', async () => {
    expect(await openFileLimit()).toBeGreaterThan(100);
  });
});

describe('choosing connections to close', () => {
  const groupsOf = (...sizes: readonly number[]) =>
    new Map(
      sizes.map((size, group) => [`${group}`, Array.from({ length: size }, (_, n) => `${group}.${n}`)]),
    );

  it.each([
    ['the oldest of the largest', [2, 5], 2, ['1.0', '1.1']],
    ['until groups are equal, then of each', [3, 5], 4, ['1.0', '1.1', '1.2', '0.0']],
    ['one of each where all are equal, the first first', [1, 1, 1], 2, ['0.0', '1.0']],
    ['all where there are fewer', [1, 2], 9, ['1.0', '1.1', '0.0']],
    ['none of no connections', [], 3, []],
  ])('%s', (_what, sizes, count, chosen) => {
    expect(chooseEvicted(groupsOf(...sizes), count)).toEqual(chosen);
  });
});

it('does not count time in which the process is busy', () => {
  const clock = createServedClock(5);
  const begin = performance.now();
  while (performance.now() - begin < 50);
  clock.tick();
  expect(clock.now()).toBe(10);
});
