import { connect, createServer, type Server } from 'node:net';
import path from 'node:path';
import { findFreePort } from '@plimsoll/embedded';
import { databasePerFile } from '@plimsoll/testing';
import { explainCommand } from '../src/commands/explain-command.ts';
import { loadtestCommand } from '../src/commands/loadtest-command.ts';
import { migrateCommand } from '../src/commands/migrate-command.ts';
import { outputOf } from './output-of.ts';

const database = databasePerFile();
/** The migrations of this checkout. */
const projectDir = path.resolve(__dirname, '../../..');

const changedUrl = (change: Partial<Pick<URL, 'password' | 'pathname' | 'port'>>): string =>
  Object.assign(new URL(database.url), change).href;

const migrate = [migrateCommand, ''] as const;
const explain = [explainCommand, '00000000-0000-7000-8000-000000000000 openssl DSA-1-1'] as const;
const correct =
  'Correct user, password and name of the database in database.url (PLIMSOLL_DATABASE_URL), or the file of database.password_file.';

it.each([
  [
    'a wrong password',
    migrate,
    { password: 'guess' },
    `The database refuses the connection: password authentication failed for user "plimsoll". ${correct}`,
  ],
  [
    'a database that does not exist',
    migrate,
    { pathname: '/elsewhere' },
    `The database refuses the connection: database "elsewhere" does not exist. ${correct}`,
  ],
  [
    'a database that cannot be reached',
    explain,
    { port: '1' },
    'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1. Start it, or correct database.url (PLIMSOLL_DATABASE_URL).',
  ],
])('is one sentence that names the setting: %s', async (_, [command, args], change, sentence) => {
  const env = { PLIMSOLL_DATABASE_URL: changedUrl(change) };
  const given = args.split(' ').filter((arg) => arg !== '');
  expect(await outputOf(command, given, env, { projectDir })).toBe(`failed: ${sentence}`);
});

it.each([
  ['--models /none', /^failed: \/none cannot be read\.$/],
  [`--password-file ${__filename}`, /^failed: signing in: not answered .*ECONNREFUSED.*$/],
])('is one sentence: loadtest %s', async (options, sentence) => {
  const args = `--url http://127.0.0.1:1 --email a@example.org ${options}`.split(' ');
  expect(await outputOf(loadtestCommand, args, {}, { projectDir })).toMatch(sentence);
});

it('is not the end of a migration while the database cannot be reached yet: it waits, and says so', async () => {
  const port = await findFreePort();
  const target = Number(new URL(database.url).port);
  let server: Server | undefined;
  const lines: string[] = [];
  const say = (line: string): void => {
    lines.push(line);
    server ??= createServer((socket) => {
      const upstream = connect(target, '127.0.0.1');
      socket.pipe(upstream).pipe(socket);
      for (const each of [socket, upstream]) each.on('error', () => undefined);
    }).listen(port, '127.0.0.1');
  };
  const env = { PLIMSOLL_DATABASE_URL: changedUrl({ port: String(port) }) };
  const failure = await outputOf(migrateCommand, [], env, { projectDir, say, warn: say });
  server?.close();
  expect(lines).toEqual([
    expect.stringMatching(/^The database cannot be reached: .* Trying for a minute\.$/),
  ]);
  // An answer of the database: another installation on this server has the roles.
  expect(failure).toContain('belongs to another installation on this server');
});
