import { randomUUID } from 'node:crypto';
import { type FileHandle, link, open, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '@plimsoll/model';
import { SecretsError } from './secrets-error.ts';

/** Larger than any real key file. */
const limitBytes = 65_536;

/** A file's content, and a stamp that distinguishes it from a later one with the same name. */
export interface FileContent {
  /** The caller overwrites it. */
  readonly text: Buffer;
  readonly stamp: string;
}

/** What distinguishes two states of a file: its time, inode and size. */
export function stampOf(stat: { mtimeNs: bigint; ino: bigint; size: bigint }): string {
  return `${stat.mtimeNs} ${stat.ino} ${stat.size}`;
}

/**
 * Reads a whole file, unless its mode has one of the `refused` permissions (SecretsError `file_exposed`). Other errors:
 * `file_missing`, `file_unreadable`, and `file_malformed` beyond 64 KiB.
 */
export async function readGuarded(file: string, refused: number): Promise<FileContent> {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (cause) {
    throw unreadable(file, cause);
  }
  try {
    const stat = await handle.stat({ bigint: true });
    requireMode(file, Number(stat.mode), refused);
    // Filled in place, because readFile's internal pieces cannot be overwritten.
    const whole = Buffer.alloc(limitBytes + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < whole.length; length += read) {
      read = (await handle.read(whole, length, whole.length - length)).bytesRead;
    }
    if (length > limitBytes) {
      whole.fill(0);
      throw new SecretsError('file_malformed', `${file} is too large to be a key file.`);
    }
    return { text: whole.subarray(0, length), stamp: stampOf(stat) };
  } catch (error) {
    throw error instanceof SecretsError ? error : unreadable(file, error);
  } finally {
    await handle.close();
  }
}

/**
 * Creates a file that does not exist yet, completely or not at all, and flushed to disk on return. False: another
 * process created it first; that file stays unchanged. Throws SecretsError `file_unwritable`.
 */
export async function createFile(file: string, text: Buffer, mode: number): Promise<boolean> {
  return withDraft(file, async (handle, draft) => {
    await handle.chmod(mode);
    await fill(handle, text);
    try {
      await link(draft, file);
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') return false;
      throw error;
    }
    return true;
  });
}

/**
 * Replaces the text of an existing file: a reader or a crash sees the old or the new text, and the new one is on disk
 * on return. Keeps owner, group and mode, without permissions in `refused`. Throws SecretsError `file_unwritable`, also
 * if the owner cannot be kept. Callers must not run concurrently.
 */
export async function replaceFile(file: string, text: Buffer, refused: number): Promise<void> {
  // A link stays a link: its target is replaced.
  const target = await realpath(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  await removeDrafts(target);
  await withDraft(target, async (handle, draft) => {
    const old = await open(target, 'r');
    const { uid, gid, mode } = await old.stat().finally(() => old.close());
    const own = await handle.stat();
    if (own.uid !== uid || own.gid !== gid) await handle.chown(uid, gid);
    await handle.chmod(mode & 0o777 & ~refused);
    await fill(handle, text);
    await rename(draft, target);
  });
}

/** Removes drafts that a killed writer left beside a file: they may hold private keys. */
async function removeDrafts(file: string): Promise<void> {
  const folder = path.dirname(file);
  const names = await readdir(folder).catch((cause: unknown) => {
    throw unreadable(folder, cause);
  });
  for (const name of names) {
    const isDraft = name.startsWith(`.${path.basename(file)}.`) && /\.[0-9a-f-]{36}$/.test(name);
    if (isDraft) await rm(path.join(folder, name), { force: true });
  }
}

/** Runs `work` with a new file beside `file` that only its owner can read; removes it if it still exists afterwards. */
async function withDraft<T>(
  file: string,
  work: (handle: FileHandle, draft: string) => Promise<T>,
): Promise<T> {
  const folder = path.dirname(file);
  const draft = path.join(folder, `.${path.basename(file)}.${randomUUID()}`);
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      const result = await work(handle, draft);
      await flushFolder(folder);
      return result;
    } finally {
      await handle.close();
      await rm(draft, { force: true });
    }
  } catch (cause) {
    if (cause instanceof SecretsError) throw cause;
    throw new SecretsError(
      'file_unwritable',
      `${file} cannot be written: ${systemErrorCode(cause) ?? String(cause)}.`,
      { cause },
    );
  }
}

async function fill(handle: FileHandle, text: Buffer): Promise<void> {
  for (let done = 0; done < text.length; ) {
    done += (await handle.write(text, done, text.length - done)).bytesWritten;
  }
  await handle.sync();
}

/** File names are on disk once their folder is. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

function requireMode(file: string, mode: number, refused: number): void {
  if ((mode & refused) === 0) return;
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  const wanted = (mode & 0o777 & ~refused).toString(8).padStart(4, '0');
  throw new SecretsError('file_exposed', `${file} has mode ${octal}: run "chmod ${wanted} ${file}" first.`);
}

/** The error for a file that cannot be read. */
export function unreadable(file: string, cause: unknown): SecretsError {
  const code = systemErrorCode(cause) ?? String(cause);
  return code === 'ENOENT'
    ? new SecretsError('file_missing', `${file} does not exist: "plimsoll secrets create" makes it.`, {
        cause,
      })
    : new SecretsError('file_unreadable', `${file} cannot be read: ${code}.`, { cause });
}
