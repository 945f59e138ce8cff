import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { killProcess, processesBelow } from './processes-below.ts';
import { createSshdHostKey, type SshdHostKey } from './sshd-host-key.ts';
import { waitFor } from './wait-for.ts';

const run = promisify(execFile);

/** Length of the log that is kept, in characters. */
const logLimit = 8_388_608;

/** How the test server is set up. */
export interface SshdOptions {
  /** Default: an ed25519 key. */
  readonly hostKeys?: readonly SshdHostKey[];
  /** Default: a free one. */
  readonly port?: number;
  /** Default: `VERBOSE`; DEBUG3 shows every message. */
  readonly logLevel?: 'VERBOSE' | 'DEBUG1' | 'DEBUG3';
  /** Further lines of sshd_config(5), before the others: the first of two lines wins. */
  readonly settings?: readonly string[];
}

/** A real sshd on a loopback port. */
export interface TestSshd {
  readonly port: number;
  readonly hostKeys: readonly SshdHostKey[];
  /** The last 8 MiB of its log. */
  log(): string;
  /** Replaces the authorized_keys of every user. */
  setAuthorizedKeys(text: string): Promise<void>;
  /** The processes of its sessions, including those that run in them. */
  sessions(): Promise<readonly number[]>;
  /** Ends its sessions midway, like a crash of the host. Returns the number of processes ended. */
  dropSessions(): Promise<number>;
  stop(): Promise<void>;
}

/** The path of sshd on this machine, or null: tests that need it then report what they skip. */
export function sshdPath(): string | null {
  return ['/usr/sbin/sshd', '/usr/local/sbin/sshd', '/sbin/sshd'].find((file) => existsSync(file)) ?? null;
}

/**
 * Starts sshd as a child process with all its files in a temporary folder. As root it accepts every user of the
 * machine, otherwise only the current one. Stop it in afterAll, also if the test failed.
 */
export async function startSshd(options: SshdOptions = {}): Promise<TestSshd> {
  const program = sshdPath();
  if (program === null) throw new Error('this machine has no sshd');
  // sshd drops its rights in this folder and does not create it.
  if (userInfo().uid === 0) await mkdir('/run/sshd', { recursive: true, mode: 0o755 });
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-sshd-'));
  // Other users' authorized_keys are read with their rights.
  await chmod(folder, 0o755);
  const hostKeys = options.hostKeys ?? [await createSshdHostKey('ed25519')];
  const authorizedKeys = path.join(folder, 'authorized_keys');
  await writeFile(authorizedKeys, '', { mode: 0o644 });
  const keyFiles = await writeHostKeys(folder, hostKeys);
  for (let attempt = 1; ; attempt += 1) {
    const port = options.port ?? (await freePort());
    const file = path.join(folder, 'sshd_config');
    await writeFile(file, await configuration(options, port, keyFiles, authorizedKeys));
    const started = await launch(program, file);
    if (started.listening) return testSshd(started, { port, hostKeys, authorizedKeys, folder });
    // Another process may have taken the free port.
    if (attempt === 5 || !/Address already in use/.test(started.log())) {
      await rm(folder, { recursive: true, force: true });
      throw new Error(`sshd did not start: ${started.log()}`);
    }
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly listening: boolean;
  readonly closed: Promise<unknown>;
  log(): string;
}

interface Setup {
  readonly port: number;
  readonly hostKeys: readonly SshdHostKey[];
  readonly authorizedKeys: string;
  readonly folder: string;
}

function testSshd(
  { child, closed, log }: Started,
  { port, hostKeys, authorizedKeys, folder }: Setup,
): TestSshd {
  // The id of an ended process may belong to another.
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const sessions = async () => (child.pid === undefined || hasEnded() ? [] : processesBelow(child.pid));
  const dropSessions = async () => {
    const pids = await sessions();
    for (const pid of pids) killProcess(pid);
    return pids.length;
  };
  return {
    port,
    hostKeys,
    log,
    sessions,
    dropSessions,
    setAuthorizedKeys: (text) => writeFile(authorizedKeys, text),
    async stop() {
      // While the listener lives, the processes of its sessions can still be found through it.
      await waitFor('the sessions to end', async () => (await dropSessions()) === 0);
      child.kill('SIGTERM');
      // After its end, when the log is complete.
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(program: string, configFile: string): Promise<Started> {
  const child = spawn(program, ['-D', '-e', '-f', configFile], { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = new Promise((resolve) => child.once('close', resolve));
  let text = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-logLimit);
  });
  let error: Error | null = null;
  child.once('error', (cause) => {
    error = cause;
  });
  const isOver = () => error !== null || child.exitCode !== null;
  const isListening = () => text.includes('Server listening on');
  await waitFor('sshd to listen', () => isListening() || isOver()).catch((cause: unknown) => {
    child.kill('SIGKILL');
    throw cause;
  });
  return { child, closed, listening: isListening() && !isOver(), log: () => text };
}

async function configuration(
  { settings = [], logLevel = 'VERBOSE' }: SshdOptions,
  port: number,
  keyFiles: readonly string[],
  authorizedKeys: string,
): Promise<string> {
  return [
    ...settings,
    `ListenAddress 127.0.0.1:${port}`,
    ...keyFiles.map((file) => `HostKey ${file}`),
    `AuthorizedKeysFile ${authorizedKeys}`,
    `LogLevel ${logLevel}`,
    'PidFile none',
    'UsePAM no',
    'StrictModes no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    // For this setting the last line would win.
    ...(settings.some((line) => line.startsWith('MaxStartups ')) ? [] : ['MaxStartups 2000:30:4000']),
    'MaxSessions 200',
    'LoginGraceTime 60',
    'Subsystem sftp internal-sftp',
    ...(await settingsOfVersion()),
    '',
  ].join('\n');
}

/** Since 9.8, sshd blocks an address with failed logins for a while, which tests cause on purpose. */
async function settingsOfVersion(): Promise<readonly string[]> {
  const { stderr } = await run('ssh', ['-V']);
  const [, major = '0', minor = '0'] = /OpenSSH_(\d+)\.(\d+)/.exec(stderr) ?? [];
  return Number(major) * 100 + Number(minor) >= 908 ? ['PerSourcePenalties no'] : [];
}

async function writeHostKeys(folder: string, hostKeys: readonly SshdHostKey[]): Promise<readonly string[]> {
  return Promise.all(
    hostKeys.map(async ({ type, privateText }, position) => {
      const file = path.join(folder, `host_key_${position}_${type}`);
      await writeFile(file, privateText, { mode: 0o600 });
      return file;
    }),
  );
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}
