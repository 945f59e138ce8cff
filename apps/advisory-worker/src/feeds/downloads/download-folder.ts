import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, readdir, realpath, rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '@plimsoll/model';
import { ImportError } from '@plimsoll/pipeline';

/** The folder for downloads that are not imported yet, and the disk space that they must leave free. */
export interface DownloadSettings {
  /** An absolute path. */
  readonly folder: string;
  /** Bytes of the disk that downloads must leave free. */
  readonly reserveBytes: number;
}

/** Downloads of an unfinished sync are deleted after this many days. */
export const keptDays = 3;
const keptMs = keptDays * 24 * 60 * 60 * 1000;

/** The private folder of one feed's downloads. It survives a restart and is removed when its sync ends. */
export interface DownloadFolder {
  readonly path: string;
  /**
   * Makes room for a number of bytes: if they do not fit, removes the downloads of other feeds. Throws NoRoom
   * if they still do not fit.
   */
  ensureRoom(bytes: number): Promise<void>;
  /** The size of one of its files in bytes; 0 if the file does not exist. */
  sizeOf(file: string): Promise<number>;
  /** Removes the folder with its content. */
  remove(): Promise<void>;
}

/** The disk has too little space left for a download. */
export class NoRoom extends Error {}

/** The folder for downloads cannot be used. */
export class FolderRefused extends ImportError {
  constructor(reason: string, cause?: unknown) {
    super('fetch_failed', `The folder for downloads (feeds.download_dir) cannot be used: ${reason}.`, {
      cause,
    });
  }
}

/**
 * Opens the folder of a feed and creates it if it is missing. Removes outdated folders of other feeds. Throws
 * FolderRefused if the folder belongs to another user or cannot be created.
 */
export async function openDownloadFolder(
  { folder, reserveBytes }: DownloadSettings,
  feedId: string,
): Promise<DownloadFolder> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // The operator may have linked it to another disk. Links inside it are not followed.
    const root = await realpath(folder);
    await removeOthers(root, feedId, new Date(Date.now() - keptMs));
    const own = path.join(root, nameOf(feedId));
    await makePrivate(own);
    return {
      path: own,
      async ensureRoom(bytes) {
        if ((await missingBytes(root, bytes, reserveBytes)) === 0) return;
        await removeOthers(root, feedId, null);
        const missing = await missingBytes(root, bytes, reserveBytes);
        if (missing > 0)
          throw new NoRoom(
            `the disk of feeds.download_dir needs ${inMebibytes(missing)} more free space for ` +
              `${inMebibytes(bytes)} to fetch and ${inMebibytes(reserveBytes)} that stay free`,
          );
      },
      async sizeOf(file) {
        try {
          return (await lstat(file)).size;
        } catch (error) {
          if (systemErrorCode(error) === 'ENOENT') return 0;
          throw error;
        }
      },
      remove: () => rm(own, { recursive: true, force: true }),
    };
  } catch (error) {
    const code = systemErrorCode(error);
    if (error instanceof ImportError || code === null) throw error;
    throw new FolderRefused(code, error);
  }
}

/** The parent folder may contain other files, which stay untouched. */
const prefix = 'plimsoll-feed-';

/** Encodes separators, so that an id cannot name a path outside the folder. */
function nameOf(feedId: string): string {
  return `${prefix}${encodeURIComponent(feedId)}`;
}

/** Creates a folder that only its owner can use. Removes anything else at its path. */
async function makePrivate(folder: string): Promise<void> {
  if (!(await isUsable(folder))) await rm(folder, { recursive: true, force: true });
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
  if (!(await isUsable(folder)))
    throw new FolderRefused(`another user has made ${path.basename(folder)} in it`);
  await chmod(folder, 0o700);
}

/** Whether the path is a folder, not a link, and belongs to this process's user. */
async function isUsable(folder: string): Promise<boolean> {
  try {
    const stats = await lstat(folder);
    return stats.isDirectory() && isOwn(stats);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function isOwn({ uid }: Stats): boolean {
  return process.getuid === undefined || uid === process.getuid();
}

/** Removes downloads of other feeds: all, or those last changed before a time. */
async function removeOthers(root: string, feedId: string, before: Date | null): Promise<void> {
  for (const name of await readdir(root)) {
    if (name === nameOf(feedId) || !name.startsWith(prefix)) continue;
    const entry = path.join(root, name);
    const stats = await lstat(entry);
    if (!stats.isDirectory() || !isOwn(stats) || (before !== null && stats.mtime >= before)) continue;
    await rm(entry, { recursive: true, force: true });
  }
}

/** The number of missing bytes; 0 if the file system does not report its free space. */
async function missingBytes(folder: string, bytes: number, reserveBytes: number): Promise<number> {
  const { bavail, bsize, blocks } = await statfs(folder);
  return blocks === 0 ? 0 : Math.max(0, bytes + reserveBytes - bavail * bsize);
}

function inMebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MiB`;
}
