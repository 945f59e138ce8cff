import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '@plimsoll/model';
import { processStart } from './process-identity.ts';

/** A folder locked for this process until `release` or the end of the process, however it ends. */
export interface DataLock {
  /** Publishes the URL under which the holder can be reached. */
  announce(url: string): Promise<void>;
  release(): Promise<void>;
}

/** Either the lock, or its holder. */
export type LockResult =
  | { readonly kind: 'locked'; readonly lock: DataLock }
  | { readonly kind: 'held'; readonly pid: number; readonly url: string | null };

interface Holder {
  readonly pid: number;
  readonly start: string | null;
  readonly url: string | null;
}

/**
 * Locks an existing folder. A lock whose process has ended counts as free, also after SIGKILL, after a restart of the
 * machine and if another process now has the id. Processes of other PID namespaces or machines are not detected.
 *
 * The lock is a file `lock.<n>` with process id and start time. The highest number counts; a process that finds that
 * one free links the next number, which only one can do. Numbers only grow, so a late process never reuses an earlier
 * one.
 */
export async function lockDataDir(folder: string): Promise<LockResult> {
  const own: Holder = { pid: process.pid, start: await processStart(process.pid), url: null };
  const draft = path.join(folder, `lock.${randomUUID()}`);
  await writeFile(draft, JSON.stringify(own), { mode: 0o644 });
  try {
    for (;;) {
      const newest = await newestLock(folder);
      const holder = await holderOf(folder, newest);
      if (holder !== null) return { kind: 'held', pid: holder.pid, url: holder.url };
      const number = newest + 1;
      if (!(await linked(draft, lockFile(folder, number)))) continue;
      if ((await newestLock(folder)) === number) {
        await removeLocksBelow(folder, number);
        return { kind: 'locked', lock: heldLock(lockFile(folder, number), own) };
      }
      await rm(lockFile(folder, number), { force: true });
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** Whether a process that runs has locked a folder. False for one that does not exist. */
export async function isDataDirLocked(folder: string): Promise<boolean> {
  try {
    return (await holderOf(folder, await newestLock(folder))) !== null;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** The running process that a lock is of; null without one. */
async function holderOf(folder: string, newest: number): Promise<Holder | null> {
  const holder = newest === 0 ? null : await readHolder(lockFile(folder, newest));
  return holder !== null && (await runs(holder)) ? holder : null;
}

function heldLock(file: string, own: Holder): DataLock {
  return {
    async announce(url) {
      const draft = path.join(path.dirname(file), `lock.${randomUUID()}`);
      try {
        await writeFile(draft, JSON.stringify({ ...own, url }), { mode: 0o644 });
        await rename(draft, file);
      } finally {
        await rm(draft, { force: true });
      }
    },
    // Needs no space: a full disk must not leave a lock that its own process holds.
    release: () => truncate(file),
  };
}

function lockFile(folder: string, number: number): string {
  return path.join(folder, `lock.${number}`);
}

async function lockNumbers(folder: string): Promise<readonly number[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => /^lock\.\d{1,15}$/.test(name))
    .map((name) => Number(name.slice('lock.'.length)));
}

async function newestLock(folder: string): Promise<number> {
  return Math.max(0, ...(await lockNumbers(folder)));
}

async function removeLocksBelow(folder: string, number: number): Promise<void> {
  const earlier = (await lockNumbers(folder)).filter((other) => other < number);
  await Promise.all(earlier.map((other) => rm(lockFile(folder, other), { force: true })));
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function readHolder(file: string): Promise<Holder | null> {
  try {
    return parseHolder(await readFile(file, 'utf8'));
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** `null` for a released lock and for any other text, for instance an empty file after a power failure. */
function parseHolder(text: string): Holder | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('pid' in value) || !('start' in value)) return null;
  const { pid, start } = value;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return null;
  const url = 'url' in value && typeof value.url === 'string' ? value.url : null;
  return { pid, start: typeof start === 'string' ? start : null, url };
}

async function runs(holder: Holder): Promise<boolean> {
  return holder.start !== null && (await processStart(holder.pid)) === holder.start;
}
