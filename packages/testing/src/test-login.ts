import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { systemErrorCode } from '@plimsoll/model';
import { killProcess } from './processes-below.ts';
import { waitFor } from './wait-for.ts';

const run = promisify(execFile);

/** An account that sshd accepts. */
export interface TestLogin {
  readonly user: string;
  readonly home: string;
  /** Removes the account, its processes and its home; does nothing to the current user. */
  remove(): Promise<void>;
}

/** The account that runs the tests: the only one that an ordinary user's test server accepts. */
export function currentLogin(): TestLogin {
  const { username, homedir } = userInfo();
  return { user: username, home: homedir, remove: async () => undefined };
}

/**
 * Creates an account of this machine with a login shell and an empty home, for one test file. Requires root; `files`
 * are put into the home. Remove it in afterAll.
 */
export async function createTestLogin(
  shell: string,
  files: Readonly<Record<string, string>> = {},
): Promise<TestLogin> {
  if (userInfo().uid !== 0) throw new Error('only root can make an account');
  const user = `plimtest${randomBytes(5).toString('hex')}`;
  const home = await mkdtemp(path.join(tmpdir(), 'plimsoll-home-'));
  // "*" matches no password but does not lock the account; sshd would refuse a locked one.
  const settings = ['--no-create-home', '--home-dir', home, '--shell', shell, '--password', '*'];
  await whenUnlocked(() => run('useradd', ['--user-group', ...settings, user]));
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(home, name), text);
  await run('chown', ['-R', `${user}:`, home]);
  const { uid } = await stat(home);
  return {
    user,
    home,
    async remove() {
      await endProcessesOf(uid);
      await whenUnlocked(() => run('userdel', [user]));
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Two test files may write the list of accounts at the same time. */
async function whenUnlocked(change: () => Promise<unknown>): Promise<void> {
  await waitFor('the list of accounts', async () => {
    try {
      await change();
      return true;
    } catch (error) {
      // Not `instanceof Error`: Jest's Error is another class than that of Node's own errors.
      if (/cannot lock/.test(String(error))) return false;
      throw error;
    }
  });
}

async function endProcessesOf(uid: number): Promise<void> {
  await waitFor('the processes of a test account to end', async () => {
    let found = 0;
    for (const name of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
      const owner = await stat(`/proc/${name}`).catch(orEnded);
      if (owner?.uid !== uid) continue;
      found += 1;
      killProcess(Number(name));
    }
    return found === 0;
  });
}

/** Null for a process that ended before it was read; throws any other error. */
function orEnded(error: unknown): null {
  const code = systemErrorCode(error);
  if (code === 'ENOENT' || code === 'ESRCH') return null;
  throw error;
}
