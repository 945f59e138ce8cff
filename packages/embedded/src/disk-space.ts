import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '@plimsoll/model';

/** The space of the file system of a folder, in bytes: what ordinary users may still use, and all. */
export interface DiskSpace {
  readonly free: number;
  readonly size: number;
}

/** A server needs this much to recover: PostgreSQL writes its log in files of 16 MB. */
export const leastFreeBytes = 64 * 2 ** 20;

/** The space of the file system that a folder is on. Rejects if the folder does not exist. */
export async function diskSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

/** The space for a folder that may not exist yet: of its first ancestor that does. */
export async function spaceFor(folder: string): Promise<DiskSpace> {
  try {
    return await diskSpace(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if (systemErrorCode(error) !== 'ENOENT' || parent === folder) throw error;
    return spaceFor(parent);
  }
}

/** Whether an error or the output of a program says that a file system or a quota is full. */
export function saysDiskFull(text: string): boolean {
  return /no space left on device|disk quota exceeded|\b(ENOSPC|EDQUOT)\b/i.test(text);
}
