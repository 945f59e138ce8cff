import { setTimeout as delay } from 'node:timers/promises';
import { databaseFault } from '@plimsoll/db';
import { type DiskSpace, leastFreeBytes, saysDiskFull, spaceFor } from '@plimsoll/embedded';
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
    const space = await spaceOf(folder);
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
  return (await spaceOf(folder)).free < leastFreeBytes;
}

/** The start shows what is wrong with a folder that cannot be looked at. */
async function spaceOf(folder: string): Promise<DiskSpace> {
  const unlimited = { free: Number.POSITIVE_INFINITY, size: Number.POSITIVE_INFINITY };
  return spaceFor(folder).catch(() => unlimited);
}
