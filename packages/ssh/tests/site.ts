import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import {
  circumstance,
  createTestLogin,
  currentLogin,
  type SshdOptions,
  sshdPath,
  sshKeyFile,
  startSshd,
  type TestLogin,
  type TestSshd,
} from '@plimsoll/testing';
import {
  authorizedKeysLine,
  type Collector,
  type CollectRequest,
  createPlaces,
  createStartups,
  generateKeyPair,
  type KeyPair,
  openSshPublicKey,
} from '../src/index.ts';

/** What this machine lacks for tests with a real sshd. */
export const missingForSshd = sshdPath() === null ? ['sshd (openssh-server)'] : [];

export const isRoot = userInfo().uid === 0;

/** What it lacks for accounts with other login shells. */
export const missingForAccounts = [
  ...missingForSshd,
  ...(isRoot ? [] : [circumstance('the right to make accounts (root)')]),
];

/** A script with its hash. */
export function collectorOf(text: string): Collector {
  const script = Buffer.from(text);
  return { script, sha256: createHash('sha256').update(script).digest('hex') };
}

/** The smallest collector: its output starts like a report. */
export const hello = collectorOf('echo plimsoll-report 1 apt hello\necho user "$(id -un)"\n');

export const helloReport = (user: string) => `plimsoll-report 1 apt hello\nuser ${user}\n`;

/** An sshd, a key pair, and accounts; stop() removes everything. */
export interface Site {
  readonly sshd: TestSshd;
  readonly pair: KeyPair;
  readonly keyFile: string;
  readonly publicLine: string;
  readonly login: TestLogin;
  addLogin(shell: string, files?: Readonly<Record<string, string>>): Promise<TestLogin>;
  /** Authorises the pair with the line that pins a collector, or without one. */
  allow(pin: Collector | null, options?: string): Promise<void>;
  request(changes?: Partial<CollectRequest>): CollectRequest;
  stop(): Promise<void>;
}

/** Starts sshd; `shell` is the login shell of a new account if the tests run as root. */
export async function setUpSite(options: SshdOptions = {}, shell = '/bin/sh'): Promise<Site> {
  const pair = generateKeyPair();
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-ssh-key-'));
  const keyFile = path.join(folder, 'key');
  await writeFile(keyFile, sshKeyFile(pair), { mode: 0o600 });
  const sshd = await startSshd(options);
  const logins: TestLogin[] = [];
  const addLogin: Site['addLogin'] = async (loginShell, files) => {
    const login = await createTestLogin(loginShell, files);
    logins.push(login);
    return login;
  };
  const stop = async () => {
    await sshd.stop();
    for (const login of logins) await login.remove();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const login = isRoot ? await addLogin(shell) : currentLogin();
    const publicLine = openSshPublicKey(pair.publicKey, 'plimsoll test');
    return {
      sshd,
      pair,
      keyFile,
      publicLine,
      login,
      addLogin,
      stop,
      allow: (pin, extra = '') => {
        const line = pin === null ? publicLine : authorizedKeysLine(publicLine, pin.sha256);
        return sshd.setAuthorizedKeys(`${extra}${line}\n`);
      },
      request: (changes = {}) => ({ ...ordinary(sshd.port, login.user, pair), ...changes }),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** A request to a loopback port, with limits that only a failing test reaches. */
export function ordinary(port: number, user: string, pair: KeyPair): CollectRequest {
  return {
    addresses: [{ address: '127.0.0.1', family: 4 }],
    port,
    user,
    identities: [pair],
    hostKey: { kind: 'unknown' },
    collector: hello,
    limits: { connectMs: 20_000, totalMs: 40_000, outputBytes: 33_554_432 },
  };
}

/** A worker's options for collect: never aborted, with room for large outputs. */
export const atEase = () => ({
  signal: new AbortController().signal,
  largeOutputs: createPlaces(4),
  startups: createStartups(8),
});
