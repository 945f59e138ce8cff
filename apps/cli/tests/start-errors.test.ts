import { connect, createServer, type Server } from 'node:net';
import path from 'node:path';
import { findFreePort } from '@plimsoll/embedded';
import { databasePerFile } from '@plimsoll/testing';
import { explainCommand } from '../src/commands/explain-command.ts';
import { loadtestCommand } from '../src/commands/loadtest-command.ts';
import { migrateCommand } from '../src/commands/migrate-command.ts';
import { explain } from '../src/explain.ts';

const database = databasePerFile();

const commands = { migrate: migrateCommand, explain: explainCommand, loadtest: loadtestCommand };
/** The migrations of this checkout. */
const projectDir = path.resolve(__dirname, '../../..');

/** What a command prints, including its error. `onLine` is called at each line. */
async function run(
  args: readonly [keyof typeof commands, ...string[]],
  env: Readonly<Record<string, string>>,
  onLine: (line: string) => void = () => undefined,
): Promise<readonly string[]> {
  const lines: string[] = [];
  const say = (line: string): void => {
    lines.push(line);
    onLine(line);
  };
  const [name, ...rest] = args;
  try {
    const context = { env: { PLIMSOLL_CONFIG: '', ...env }, projectDir, say, warn: say };
    await commands[name](context).parseAsync(rest, { from: 'user' });
  } catch (error) {
    say(explain(error));
  }
  return lines;
}

function changedUrl(change: (url: URL) => void): string {
  const url = new URL(database.url);
  change(url);
  return url.href;
}

const correct =
  'Correct user, password and name of the database in database.url (PLIMSOLL_DATABASE_URL), or the file of database.password_file.';

it.each<readonly [string, (url: URL) => void, string]>([
  [
    'a wrong password',
    (url) => {
      url.password = 'guess';
    },
    `The database refuses the connection: password authentication failed for user "plimsoll". ${correct}`,
  ],
  [
    'a database that does not exist',
    (url) => {
      url.pathname = '/elsewhere';
    },
    `The database refuses the connection: database "elsewhere" does not exist. ${correct}`,
  ],
])('is one sentence that names the setting: %s', async (_, change, sentence) => {
  expect(await run(['migrate'], { PLIMSOLL_DATABASE_URL: changedUrl(change) })).toEqual([sentence]);
});

it.each([
  ['--models /none', '/none cannot be read.'],
  [`--password-file ${__filename}`, expect.stringMatching(/^signing in: not answered .*ECONNREFUSED/)],
])('is one sentence: loadtest %s', async (options, sentence) => {
  const args = `--url http://127.0.0.1:1 --email a@example.org ${options}`.split(' ');
  expect(await run(['loadtest', ...args], {})).toEqual([sentence]);
});

it('is one sentence that names the setting: a database that cannot be reached', async () => {
  const port = await findFreePort();
  const env = {
    PLIMSOLL_DATABASE_URL: changedUrl((url) => {
      url.port = String(port);
    }),
  };
  const host = '00000000-0000-7000-8000-000000000000';
  expect(await run(['explain', host, 'openssl', 'DSA-1-1'], env)).toEqual([
    `The database cannot be reached: connect ECONNREFUSED 127.0.0.1:${port}. Start it, or correct database.url (PLIMSOLL_DATABASE_URL).`,
  ]);
});

it('is not the end of a migration while the database cannot be reached yet: it waits, and says so', async () => {
  const port = await findFreePort();
  const target = Number(new URL(database.url).port);
  const url = changedUrl((each) => {
    each.port = String(port);
  });
  let server: Server | undefined;
  const lines = await run(['migrate'], { PLIMSOLL_DATABASE_URL: url }, () => {
    server ??= createServer((socket) => {
      const upstream = connect(target, '127.0.0.1');
      socket.pipe(upstream).pipe(socket);
      for (const each of [socket, upstream]) each.on('error', () => undefined);
    }).listen(port, '127.0.0.1');
  });
  server?.close();
  expect(lines[0]).toMatch(/^The database cannot be reached: .* Trying for a minute\.$/);
  // An answer of the database: another installation on this server has the roles.
  expect(lines[1]).toContain('belongs to another installation on this server');
});
