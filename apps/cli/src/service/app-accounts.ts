import { constants } from 'node:fs';
import { chmod, chown, type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '@plimsoll/config';
import { type Account, openForPassage, runProgram, unusedIds } from '@plimsoll/embedded';
import { systemErrorCode } from '@plimsoll/model';
import type { AppSpec } from './app-specs.ts';

/** The OS user of an app. */
export interface AppAccount {
  readonly account: Account;
  /** Why an app that root started stays root; null if it does not. */
  readonly reason: string | null;
}

/** Locations of the apps and of what they read. */
export interface AppPlaces {
  readonly apps: readonly AppSpec[];
  readonly config: Config;
  /** Absolute, without symbolic links. */
  readonly dataDir: string;
  readonly projectDir: string;
}

/** Only root may listen below it. */
const firstOrdinaryPort = 1_024;

/**
 * The OS user of each app. Without root it is the current user. Root gives each app its own id, which belongs to no
 * account and stays the same for a data folder, so that an app cannot read the memory, environment or key files of
 * another. Key files in the data folder become readable for the group of the app that reads them. An app stays root if
 * its user cannot reach what the app needs.
 */
export async function appAccounts(places: AppPlaces): Promise<(app: AppSpec) => AppAccount> {
  const own: AppAccount = { account: { kind: 'own' }, reason: null };
  if (process.getuid?.() !== 0) return () => own;
  const accounts = new Map<AppSpec, AppAccount>();
  // The first id is for Redis.
  const [, ...ids] = await unusedIds(places.dataDir, places.apps.length + 1);
  for (const [index, app] of places.apps.entries()) {
    const id = ids[index] ?? 0;
    const account: Account = { kind: 'other', uid: id, gid: id };
    const reason = await obstacle(app, account, places);
    accounts.set(app, reason === null ? { account, reason } : { ...own, reason });
  }
  return (app) => accounts.get(app) ?? own;
}

/** Why an app cannot run as a user, after its files in the data folder were made readable; null if it can. */
async function obstacle(
  app: AppSpec,
  account: Extract<Account, { kind: 'other' }>,
  { config, dataDir, projectDir }: AppPlaces,
): Promise<string | null> {
  if (app.name === 'api' && config['api.port'] < firstOrdinaryPort)
    return `only root may listen on port ${config['api.port']}`;
  const files = app.reads.flatMap((key) => config[key] ?? []);
  for (const file of files.filter((each) => each.startsWith(dataDir + path.sep))) {
    try {
      await openForGroup(file, account.gid, dataDir);
    } catch (error) {
      return `${file} cannot be opened for another user (${systemErrorCode(error) ?? String(error)})`;
    }
  }
  const folders = app.writes.flatMap((key) => config[key] ?? []);
  for (const folder of folders) {
    try {
      await giveFolder(folder, account, dataDir);
    } catch (error) {
      return `${folder} cannot be given to another user (${systemErrorCode(error) ?? String(error)})`;
    }
  }
  // Asks the operating system instead of evaluating modes, because only it knows access lists, mounts and containers.
  const { code, output } = await runProgram({
    program: '/bin/sh',
    args: ['-c', canUse, 'sh', projectDir, process.execPath, app.entry, ...files, ...folders],
    account,
  });
  if (code === null) return `processes cannot take another user here (${output})`;
  return code === 0 ? null : `another user cannot use ${output.trim()}`;
}

/** Prints the first unusable argument: a folder, a program, then files to read and folders to write. */
const canUse =
  'cd "$1" 2>/dev/null || { echo "$1"; exit 1; }; shift; [ -x "$1" ] || { echo "$1"; exit 1; }; shift; ' +
  'for file; do [ -r "$file" ] && { [ ! -d "$file" ] || [ -w "$file" ]; } || { echo "$file"; exit 1; }; done';

/** Lets a group read a file in the data folder that only root could read, and pass through the folders above it. */
async function openForGroup(file: string, gid: number, dataDir: string): Promise<void> {
  for (let folder = path.dirname(file); folder.startsWith(dataDir); folder = path.dirname(folder))
    await openForPassage(folder);
  const { uid, mode } = await stat(file);
  if ((mode & 0o004) !== 0) return;
  await chown(file, uid, gid);
  await chmod(file, (mode & 0o700) | 0o040);
}

/**
 * Makes a user the owner of a folder that is missing or in the data folder, and of what is in it: a restore by root
 * or a moved data folder left other owners. Files with several names are left alone: one may be elsewhere. Other
 * folders are the operator's.
 */
async function giveFolder(
  folder: string,
  { uid, gid }: Extract<Account, { kind: 'other' }>,
  dataDir: string,
): Promise<void> {
  const isNew = (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
  const isOurs = folder.startsWith(dataDir + path.sep);
  if (!isNew && !isOurs) return;
  const handle = await open(folder, constants.O_DIRECTORY);
  try {
    await handle.chown(uid, gid);
    // An app that closed its own folder would otherwise stay root.
    await handle.chmod(0o700);
    await giveContents(handle, uid, gid);
  } finally {
    await handle.close();
  }
  for (let at = path.dirname(folder); isOurs && at.startsWith(dataDir); at = path.dirname(at))
    await openForPassage(at);
}

const unfollowed = constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Works on open files: a process of the app that is left may put links to files of root where others were listed. */
async function giveContents(folder: FileHandle, uid: number, gid: number): Promise<void> {
  const here = `/proc/self/fd/${folder.fd}`;
  for (const name of await readdir(here)) {
    const entry = await open(path.join(here, name), unfollowed).catch((error: unknown) => {
      // A link, a socket, or gone.
      if (['ELOOP', 'ENXIO', 'ENOENT'].includes(systemErrorCode(error) ?? '')) return null;
      throw error;
    });
    if (entry === null) continue;
    try {
      const stats = await entry.stat();
      if (stats.isDirectory()) await giveContents(entry, uid, gid);
      if (stats.isDirectory() || stats.nlink === 1) await entry.chown(uid, gid);
    } finally {
      await entry.close();
    }
  }
}
