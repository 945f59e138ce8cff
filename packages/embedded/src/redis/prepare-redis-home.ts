import { access, chmod, lchown, lstat, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '@plimsoll/model';
import { openForPassage } from '../postgres/prepare-postgres-home.ts';
import { type Account, runProgram } from '../run-program.ts';
import { unusedIds } from '../unused-ids.ts';
import { omitsTransactions, settingsName } from './redis-settings.ts';

/** The folders and the OS user of a private Redis. */
export interface RedisHome {
  /**
   * The folder with the settings. If root runs this, only root can write there, so that the server cannot place links
   * in it.
   */
  readonly folder: string;
  /** The folder with the data, which belongs to the server. */
  readonly dataFolder: string;
  readonly account: Account;
  /** Why a server started by root stays root; null if it does not. */
  readonly rootReason: string | null;
}

/** Append-only files of Redis 7 and of Redis 6. Earlier releases of Plimsoll kept them beside the settings. */
const appendOnly = ['appendonlydir', 'appendonly.aof'];

/**
 * Makes the data folder of a private Redis in its `folder` and chooses its OS user: the current one, or for root a
 * separate id, which then owns the data. Root stays root if that id cannot be used. Both folders are absolute, without
 * links.
 */
export async function prepareRedisHome(dataDir: string, folder: string, program: string): Promise<RedisHome> {
  const dataFolder = path.join(folder, 'data');
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  for (const name of appendOnly) await takeOver(path.join(folder, name), path.join(dataFolder, name));
  await dropIncomplete(folder, dataFolder);
  const own = { folder, dataFolder, account: { kind: 'own' } } as const;
  if (process.getuid?.() !== 0) return { ...own, rootReason: null };

  const [id = 0] = await unusedIds(dataDir, 1);
  const account: Account = { kind: 'other', uid: id, gid: id };
  const rootReason = await obstacle(account, { dataDir, folder, dataFolder, program });
  if (rootReason === null) return { ...own, account, rootReason };
  // Best effort: a root without capabilities may not change owners, and reports it when it cannot use the files.
  await giveTo(dataFolder, 0).catch(() => undefined);
  return { ...own, rootReason };
}

/**
 * Deletes data that a server of an earlier release did not read wholly after each restart: it wrote on where jobs were
 * missing, so a key can be left of a job that would never run and would suppress every later one with its id. The scheduler
 * rings again for all work that is not done.
 */
async function dropIncomplete(folder: string, dataFolder: string): Promise<void> {
  const settings = await readFile(path.join(folder, settingsName), 'utf8').catch(noFile);
  if (settings === null || !omitsTransactions(settings)) return;
  for (const name of appendOnly) await rm(path.join(dataFolder, name), { recursive: true, force: true });
}

function noFile(error: unknown): null {
  if (systemErrorCode(error) !== 'ENOENT') throw error;
  return null;
}

async function takeOver(from: string, to: string): Promise<void> {
  const isTaken = await access(to).then(
    () => true,
    () => false,
  );
  if (isTaken) return;
  await rename(from, to).catch(noFile);
}

/** Why the server cannot run as a user, after its data was given to that user; null if it can. */
async function obstacle(
  account: Extract<Account, { kind: 'other' }>,
  places: { dataDir: string; folder: string; dataFolder: string; program: string },
): Promise<string | null> {
  const { dataDir, folder, dataFolder, program } = places;
  await openForPassage(dataDir);
  await chmod(folder, 0o711);
  // Asks the operating system instead of evaluating modes, because only it knows access lists, mounts and containers.
  const { code, output } = await runProgram({
    program: '/bin/sh',
    args: ['-c', canUse, 'sh', folder, program],
    account,
  });
  if (code === null) return `processes cannot take another user here (${output})`;
  if (code !== 0) return `another user cannot use ${output.trim()}`;
  try {
    await giveTo(dataFolder, account.uid);
    return null;
  } catch (error) {
    return `${dataFolder} cannot be given to another user (${systemErrorCode(error) ?? String(error)})`;
  }
}

const canUse = 'cd "$1" 2>/dev/null || { echo "$1"; exit 1; }; [ -x "$2" ] || { echo "$2"; exit 1; }';

/** Changes the owner of a folder and everything in it, without following links. */
async function giveTo(folder: string, id: number): Promise<void> {
  const entries = await readdir(folder, { recursive: true });
  for (const file of [folder, ...entries.map((entry) => path.join(folder, entry))]) {
    const { uid, nlink, isFile } = await describe(file);
    // A file with two names may belong to another place and only be linked here.
    if (uid !== id && !(isFile && nlink > 1)) await lchown(file, id, id);
  }
}

async function describe(file: string): Promise<{ uid: number; nlink: number; isFile: boolean }> {
  const found = await lstat(file);
  return { uid: found.uid, nlink: found.nlink, isFile: found.isFile() };
}
