import { tmpdir } from 'node:os';
import { beforeMigration } from '../src/service/before-migration.ts';
import { describeStep } from '../src/service/describe-step.ts';

const from = { program: '0.1.0', migration: '20270101_a' };
const to = { program: '0.2.0', migration: '20270102_b' };

it.each([
  ['a step', { from, to, n: 1, of: 2, migration: '20270102_b' }, '  1 of 2: 20270102_b'],
  ['the last step', { from, to, n: 2, of: 2, migration: null }, '  2 of 2: functions, triggers and views'],
  [
    'an empty database',
    { from: null, to, n: 1, of: 2, migration: '20270101_a' },
    'Making the tables of the database: version 0.2.0 (20270102_b)',
  ],
  ['nothing more of it', { from: null, to, n: 2, of: 2, migration: null }, null],
])('says %s', (_, step, line) => {
  expect(describeStep(step)).toBe(line);
});

async function prepare(largest: number, databaseHome: string | null, backup: string | null) {
  const said: string[] = [];
  const made: string[] = [];
  const upcoming = {
    from,
    to,
    migrations: ['20270102_b'],
    databaseBytes: 3 * 2 ** 20,
    largestTable: { name: 'uploads', bytes: largest },
  };
  const makeBackup = {
    make: async () => {
      made.push('backup');
      return '/backups/one.tar';
    },
    ended: async () => undefined,
  };
  const ended = await beforeMigration(upcoming, {
    databaseHome,
    backup: backup ?? makeBackup,
    say: (line) => said.push(line),
  }).then(
    () => null,
    (error: Error) => error.message,
  );
  return { said: said.join('\n'), made, ended };
}

it('says what a migration will do, and makes a backup first', async () => {
  const { said, made, ended } = await prepare(2 ** 20, tmpdir(), null);
  expect(ended).toBeNull();
  expect(made).toEqual(['backup']);
  expect(said).toMatch(
    /^Migrating the database from version 0\.1\.0 \(20270101_a\) to version 0\.2\.0 \(20270102_b\):\n {2}- 20270102_b\n.*The database has 3 MB, its largest table, uploads, 1 MB; \d+ MB are free\.\n.*\/backups\/one\.tar\.$/s,
  );
});

it('refuses to begin with too little space, and says what it cannot see or does not do', async () => {
  const refused = await prepare(2 ** 60, tmpdir(), null);
  expect(refused.ended).toMatch(/too little space for the migration: a copy of uploads/);
  expect(refused.made).toEqual([]);
  const elsewhere = await prepare(2 ** 60, null, 'backup.dir is not set.');
  expect(elsewhere).toMatchObject({ ended: null, made: [] });
  expect(elsewhere.said).toMatch(
    /cannot be seen from here\.\nNo backup is made before it: backup\.dir is not set\.$/,
  );
});
