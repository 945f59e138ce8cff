import { describeStep } from '../src/service/describe-step.ts';

const to = { program: '0.2.0', migration: '20270102_b' };

it.each([
  [
    'versions with the first step',
    { from: { program: '0.1.0', migration: '20270101_a' }, to, n: 1, of: 2, migration: '20270102_b' },
    [
      'Migrating the database from version 0.1.0 (20270101_a) to version 0.2.0 (20270102_b)',
      '  1 of 2: 20270102_b',
    ],
  ],
  [
    'later steps alone',
    { from: { program: '0.1.0', migration: '20270101_a' }, to, n: 2, of: 2, migration: null },
    ['  2 of 2: functions, triggers and views'],
  ],
  [
    'one line for an empty database',
    { from: null, to, n: 1, of: 2, migration: '20270101_a' },
    ['Making the tables of the database: version 0.2.0 (20270102_b)'],
  ],
  ['no further line for it', { from: null, to, n: 2, of: 2, migration: null }, []],
])('says %s', (_, step, lines) => {
  expect(describeStep(step)).toEqual(lines);
});
