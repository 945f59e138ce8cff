import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { databaseFault } from '@plimsoll/db';
import { type DiskSpace, diskSpace, leastFreeBytes, saysDiskFull } from '@plimsoll/embedded';
import { systemErrorCode } from '@plimsoll/model';
import { stackOf } from '../explain.ts';

const everyMs = 2_000;

/** For example `The disk of /data is full: 3 MB free of 300 MB.` */
export function fullDiskWords(folder: string, { free, size }: DiskSpace): string {
  return `The disk of ${folder} is full: ${megabytes(free)} free of ${megabytes(size)}.`;
}

/** For example `300 MB`. */
export function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 2 ** 20)} MB`;
}

/** Waits until there is space for a folder, which need not exist yet, or `stop` is aborted. Says that it waits. */
export async function awaitDiskSpace(
  folder: string,
  { warn, stop }: { readonly warn: (line: string) => void; readonly stop: AbortSignal },
): Promise<void> {
  for (let told = false; !stop.aborted; told = true) {
    const space = await spaceFor(folder);
    if (space.free >= leastFreeBytes) return;
    if (!told)
      warn(
        `${fullDiskWords(folder, space)} Plimsoll starts by itself when ${megabytes(leastFreeBytes)} are free.`,
      );
    // Rejects only when `stop` is aborted, which the loop checks.
    await delay(everyMs, undefined, { signal: stop }).catch(() => undefined);
  }
}

/** Whether an error says that a disk is full, or the disk of a folder is. */
export async function isForWantOfSpace(error: unknown, folder: string): Promise<boolean> {
  if (saysDiskFull(stackOf(error)) || databaseFault(error)?.kind === 'disk_full') return true;
  return (await spaceFor(folder)).free < leastFreeBytes;
}

/** The space for a folder, or for its first ancestor that exists. */
async function spaceFor(folder: string): Promise<DiskSpace> {
  try {
    return await diskSpace(folder);
  } catch (error) {
    const parent = path.dirname(folder);
    if (systemErrorCode(error) === 'ENOENT' && parent !== folder) return spaceFor(parent);
    // The start shows what is wrong with the folder.
    return { free: Number.POSITIVE_INFINITY, size: Number.POSITIVE_INFINITY };
  }
}
