import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@plimsoll/embedded';
import { describeWhere, missingCommands, waitFor } from '@plimsoll/testing';

const root = path.resolve(__dirname, '..');
const page = readFileSync(path.join(root, 'docs/api.md'), 'utf8');

/** The text of a section of docs/api.md. */
function sectionOf(heading: string): string {
  const [, rest = ''] = page.split(`\n## ${heading}\n`);
  return rest.split('\n## ')[0] ?? '';
}

const blocksOf = (text: string): readonly string[] =>
  [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block);

const section = sectionOf('The first five minutes');
const commands = blocksOf(section);
const [byHand = '', overSsh = '', pull = '', ...others] = ['By hand', 'Over SSH'].flatMap((heading) =>
  blocksOf(sectionOf(heading)),
);
const [, promised = ''] = /^```text\n(.*?)^```$/ms.exec(section) ?? [];

let dataDir = '';
let service: ChildProcess;
let said = '';

/** The started processes get nothing else of this machine's environment. */
const bareEnvironment = { PATH: process.env['PATH'], HOME: process.env['HOME'], LC_ALL: 'C.UTF-8' };

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'plimsoll-api-page-'));
  service = spawn(process.execPath, [path.join(root, 'apps/cli/bin/plimsoll.mjs'), 'start'], {
    cwd: root,
    env: {
      ...bareEnvironment,
      PLIMSOLL_CONFIG: '',
      PLIMSOLL_DATA_DIR: dataDir,
      PLIMSOLL_API_HOST: '127.0.0.1',
      PLIMSOLL_API_PORT: String(await findFreePort()),
      PLIMSOLL_FEEDS_SYNC_ENABLED: 'false',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [service.stdout, service.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  await waitFor('the service to be ready', () => said.includes('Ctrl-C') || service.exitCode !== null, {
    timeoutMs: 60_000,
  });
});

afterAll(async () => {
  if (service.exitCode === null && service.signalCode === null) {
    const ended = once(service, 'exit');
    service.kill('SIGINT');
    await ended;
  }
  await rm(dataDir, { recursive: true });
});

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly problems: string;
}

/** Runs a text as if pasted into a shell, but stops at the first command that fails. */
async function runInShell(script: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const shell = spawn('/bin/sh', ['-eu'], { cwd: root, env: { ...bareEnvironment, ...env } });
  const ended: { output: string; problems: string } = { output: '', problems: '' };
  shell.stdout.setEncoding('utf8').on('data', (text: string) => {
    ended.output += text;
  });
  shell.stderr.setEncoding('utf8').on('data', (text: string) => {
    ended.problems += text;
  });
  shell.stdin.end(script);
  await once(shell, 'close');
  return { code: shell.exitCode, ...ended };
}

it('starts with a URL, and setup waiting', () => {
  expect(said).toMatch(
    /^Making the tables [^\n]+\nPlimsoll is ready: http:\/\/127\.0\.0\.1:\d+\n {2}Setup is waiting/,
  );
});

const urlOf = (): string => /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? '';

async function walkThroughTheFirstFiveMinutes(
  env: Readonly<Record<string, string>>,
  firstLine: string,
): Promise<void> {
  expect(commands).toHaveLength(6);
  const { code, output, problems } = await runInShell(commands.join('\n'), { URL: urlOf(), ...env });
  expect({ code, problems }).toEqual({ code: 0, problems: '' });

  const [role, upload, advisoryImport, ...shown] = output.trimEnd().split('\n');
  expect([role, upload, advisoryImport]).toEqual([firstLine, 'done', 'done']);
  const examples = promised.trimEnd().split('\n');
  expect(examples.pop()).toBe('…');
  expect(shown.slice(0, examples.length)).toEqual(examples);
  const [action, ...findings] = shown;
  expect(action).toBe('update_security');
  expect(findings).toHaveLength(Number(/^(\d+) packages have a fix/m.exec(section)?.[1]));
}

/** Another first user than the page's, created as on the dashboard's set-up page. */
async function addBrowserUser(): Promise<Record<string, string>> {
  const send = async (route: string, body: object, token = ''): Promise<{ token: string }> => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await (await fetch(`${urlOf()}/api/v1${route}`, init)).json()) as { token: string }; // Only the token is read.
  };
  const [, email = '', password = ''] =
    /EMAIL:-([^}]+)}\nPASSWORD=\$\{PASSWORD:-([^}]+)}/.exec(section) ?? [];
  const { token } = await send('/auth/login', { email, password });
  const user = { EMAIL: 'admin@in-the-browser.example', PASSWORD: 'a "quoted" $pass\\word' };
  await send('/users', { email: user.EMAIL, password: user.PASSWORD, role: 'admin' }, token);
  return user;
}

describeWhere(missingCommands('curl'), 'docs/api.md', () => {
  it('shows findings after the first five minutes, command by command', () =>
    walkThroughTheFirstFiveMinutes({}, 'admin'));

  it('shows them after a set-up in the browser too', async () => {
    const user = await addBrowserUser();
    const firstLine = `The first user is there already: signing in as ${user['EMAIL']}`;
    await walkThroughTheFirstFiveMinutes(user, firstLine);
  });

  it('adds a host over SSH, with a line for its authorized_keys, and says why it cannot be reached', async () => {
    const known = { URL: urlOf() };
    const asked = overSsh.replace('web-1.example', '127.0.0.1');
    const folder = await mkdtemp(path.join(dataDir, 'over-ssh-'));
    const script = [...commands.slice(0, 2), `cd '${folder}'`, asked, pull].join('\n');
    const { code, output } = await runInShell(script, known);
    const [, line, outcome, ...more] = output.trimEnd().split('\n');
    expect({ code, line, outcome, more }).toEqual({
      code: 0,
      line: expect.stringMatching(/^restrict,command="[^\n]+" ssh-ed25519 /),
      outcome: 'failed',
      more: [],
    });
  });

  it('has no other blocks than those that run here', () => {
    expect(others).toEqual([]);
    expect(blocksOf(page)).toEqual([...commands, byHand, overSsh, pull]);
  });

  it('explains errors in a sentence, without a stack trace', async () => {
    const wrong = { URL: urlOf(), PASSWORD: 'another password' };
    const { code, problems } = await runInShell(commands.slice(0, 2).join('\n'), wrong);
    expect({ code, problems }).toEqual({ code: 1, problems: 'E-mail or password is wrong.\n' });
  });
});

describeWhere(missingCommands('curl', 'dpkg-query', 'apt-get'), 'a report by hand', () => {
  it('is collected on this machine and read', async () => {
    const folder = await mkdtemp(path.join(dataDir, 'by-hand-'));
    const script = [...commands.slice(0, 2), `cd '${folder}'`, byHand].join('\n');
    const { code, output, problems } = await runInShell(script, { URL: urlOf() });
    expect({ code, problems, last: output.trimEnd().split('\n').at(-1) }).toEqual({
      code: 0,
      problems: '',
      last: 'done',
    });
  });
});
