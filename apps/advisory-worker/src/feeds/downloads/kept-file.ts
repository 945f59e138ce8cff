import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open, rename, rm } from 'node:fs/promises';
import { isJsonObject, systemErrorCode } from '@plimsoll/model';
import type { FeedVersion } from '../feed-source.ts';
import { fileKey } from '../file-key.ts';

/** A file, complete or not, that an earlier download stored. */
export interface KeptFile {
  readonly version: FeedVersion;
  /** The number of stored bytes. */
  readonly size: number;
  /**
   * The size of the whole file in bytes; null if its server did not state it. The file is complete if `size`
   * equals it.
   */
  readonly length: number | null;
}

const { O_RDONLY, O_WRONLY, O_CREAT, O_APPEND, O_TRUNC, O_NOFOLLOW } = constants;
const longestNote = 16 * 1024;
const longestText = 1_000;

/** The note beside a file. */
interface Note {
  readonly url: string;
  readonly version: FeedVersion;
  readonly length: number | null;
}

/**
 * The file that an earlier download of this URL stored at a path. Null if there is none, or if it cannot be
 * continued: its server sent no validator, or the note is damaged or for another URL. Then the file is
 * removed.
 */
export async function findKeptFile(path: string, url: URL): Promise<KeptFile | null> {
  const note = await readNote(path);
  const stats = await statsOf(path);
  if (note !== null && stats !== null && note.url === fileKey(url) && isPlain(stats)) {
    const { version, length } = note;
    const isPart = length === null || stats.size <= length;
    const isNamed = version.etag !== null || version.lastModified !== null;
    if (isPart && isNamed) return { version, size: stats.size, length };
  }
  await dropKeptFile(path);
  return null;
}

/** Whether a kept file is complete. */
export function isWhole({ size, length }: KeptFile): boolean {
  return length === size;
}

/** Stores a note beside a file: its URL without credentials, and its version. */
export async function noteKeptFile(path: string, url: URL, kept: Omit<KeptFile, 'size'>): Promise<void> {
  const { version, length } = kept;
  const note = JSON.stringify({ url: fileKey(url), ...version, length });
  const draft = `${path}.note-draft`;
  await rm(draft, { force: true });
  const file = await open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  try {
    await file.writeFile(note);
  } finally {
    await file.close();
  }
  await rename(draft, notePath(path));
}

/** Removes a file and its note, if they exist. */
export async function dropKeptFile(path: string): Promise<void> {
  await rm(notePath(path), { force: true });
  await rm(path, { force: true, recursive: true });
}

/** Opens a file for writing at its end, or empties it if `from` is 0. Follows no symbolic link. */
export function openTarget(path: string, from: number): Promise<FileHandle> {
  const mode = from === 0 ? O_TRUNC : O_APPEND;
  return open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | mode, 0o600);
}

function notePath(path: string): string {
  return `${path}.note`;
}

async function readNote(path: string): Promise<Note | null> {
  try {
    const file = await open(notePath(path), O_RDONLY | O_NOFOLLOW);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(longestNote), 0, longestNote, 0);
      return noteIn(JSON.parse(buffer.toString('utf8', 0, bytesRead)));
    } finally {
      await file.close();
    }
  } catch (error) {
    if (error instanceof SyntaxError || ['ENOENT', 'ELOOP', 'EISDIR'].includes(systemErrorCode(error) ?? ''))
      return null;
    throw error;
  }
}

/** Null if the JSON is not a note. */
function noteIn(json: unknown): Note | null {
  if (!isJsonObject(json)) return null;
  const { url, etag, lastModified, length } = json;
  if (typeof url !== 'string' || !isText(etag) || !isText(lastModified)) return null;
  if (length !== null && (!Number.isSafeInteger(length) || Number(length) < 0)) return null;
  return { url, version: { etag, lastModified }, length: length === null ? null : Number(length) };
}

function isText(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && value.length <= longestText);
}

/** Whether it is a regular file with one name: no link, and no hard link to a file elsewhere. */
function isPlain(stats: Stats): boolean {
  return stats.isFile() && stats.nlink === 1;
}

async function statsOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
