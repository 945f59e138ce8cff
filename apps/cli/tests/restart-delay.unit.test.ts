import { restartDelayMs } from '../src/service/restart-delay.ts';

it('doubles from half a second to five seconds and stays there', () => {
  expect([1, 2, 3, 6, 7, 8, 1000].map(restartDelayMs)).toEqual([500, 1000, 2000, 5000, 5000, 5000, 5000]);
});
