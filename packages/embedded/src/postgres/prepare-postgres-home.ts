import { randomBytes } from 'node:crypto';
import { access, chmod, mkdir, readFile, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedError } from '../embedded-error.ts';
import { type Account, runProgram } from '../run-program.ts';

/** Where root keeps what the server's user cannot reach in its own place. */
export const systemFolder = '/var/lib/plimsoll';

/**
 * The folder that holds the cluster: `postgres` in the data folder. If root runs this and the server's user cannot
 * reach it (a data folder below a closed home), it is a folder in /var/lib/plimsoll; its path is written to
 * `postgres.location` in the data folder, so that moving the data folder does not lose it.
 */
export async function preparePostgresHome(dataDir: string, account: Account): Promise<string> {
  const inside = path.join(dataDir, 'postgres');
  if (account.kind === 'own') {
    await mkdir(inside, { recursive: true, mode: 0o700 });
    return inside;
  }
  const recorded = await readFile(path.join(dataDir, 'postgres.location'), 'utf8').catch(() => null);
  if (recorded !== null) return usableHome(recorded.trim(), account);

  await mkdir(inside, { recursive: true, mode: 0o711 });
  await openForPassage(dataDir);
  await openForPassage(inside);
  if (await isReachable(inside, account)) return inside;
  // An existing cluster must not be ignored in favour of an empty one elsewhere.
  if (await exists(path.join(inside, 'cluster'))) return usableHome(inside, account);

  await rmdir(inside).catch(() => undefined); // remove it if it is empty; otherwise it may stay
  await mkdir(systemFolder, { recursive: true, mode: 0o755 });
  const outside = path.join(systemFolder, randomBytes(6).toString('hex'));
  await mkdir(outside, { mode: 0o711 });
  await openForPassage(outside);
  await writeFile(path.join(outside, 'data-folder'), `${dataDir}\n`);
  await writeFile(path.join(dataDir, 'postgres.location'), `${outside}\n`);
  return usableHome(outside, account);
}

async function usableHome(home: string, account: Account): Promise<string> {
  if (await isReachable(home, account)) return home;
  const uid = account.kind === 'other' ? ` (uid ${account.uid})` : '';
  throw new EmbeddedError(
    'data_unreachable',
    `the database's user${uid} cannot reach ${home}: open the folders above it`,
  );
}

/** Lets other users pass through a folder without listing it; its files keep their own modes. */
export async function openForPassage(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o001) === 0) await chmod(folder, (mode & 0o777) | 0o001);
}

/** Asks the operating system instead of evaluating modes, because only it knows access lists, mounts and containers. */
async function isReachable(folder: string, account: Account): Promise<boolean> {
  const { code } = await runProgram({ program: '/bin/sh', args: ['-c', 'cd "$1"', 'sh', folder], account });
  return code === 0;
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
