import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isNativeError } from 'node:util/types';
import { BackupError, createRoundStore, openDatabase } from '@plimsoll/db';
import { saysDiskFull } from '@plimsoll/embedded';
import { systemErrorCode } from '@plimsoll/model';
import { sentenceFor } from '../explain.ts';
import { StartError } from '../service/start-error.ts';
import type { Manifest } from './backup-format.ts';
import { readBackup } from './read-backup.ts';
import { type BackupSource, type Written, writeBackup } from './write-backup.ts';

/** A backup to write to a folder, which is made if it is missing. */
export interface BackupOrder extends BackupSource {
  readonly folder: string;
  /** Whether it counts as a run of the round `back up`; otherwise the database notes nothing. Default: it does. */
  readonly isNoted?: boolean;
}

/**
 * Backs up the database, whichever version made its schema, and keys, while the service runs: to a new file of the folder,
 * for its owner only, which is read back and checked before it gets its name. Notes in the database how it went. Throws
 * StartError, and leaves no file.
 */
export async function createBackup(order: BackupOrder): Promise<Written & { readonly file: string }> {
  const { isNoted = true } = order;
  try {
    const made = await write(order);
    if (isNoted)
      await noteRound(order.databaseUrl, null).catch((error: unknown) =>
        order.say(`The backup is made, but the database could not note it: ${String(error)}`),
      );
    return made;
  } catch (error) {
    if (order.stop?.aborted === true) throw error;
    const told = asStartError(error, order.folder);
    if (isNoted)
      await noteRound(order.databaseUrl, sentenceFor(told) ?? 'It failed: see the log.').catch(
        () => undefined,
      );
    throw told;
  }
}

/** The bytes of a backup to a stream, which stays open. Throws StartError. */
export async function streamBackup(source: BackupSource, to: NodeJS.WritableStream): Promise<Written> {
  try {
    return await drain(source, (bytes) => pipeline(bytes, to, { end: false }));
  } catch (error) {
    throw asStartError(error, 'standard output');
  }
}

/** Reads a backup to its end, and throws StartError unless all of it is as it was written. */
export function checkBackup(source: AsyncIterable<Buffer>): Promise<Manifest> {
  return readBackup(source, async (manifest, parts) => {
    for await (const part of parts) if (part.kind === 'table') for await (const _chunk of part.rows);
    return manifest;
  });
}

async function write(order: BackupOrder): Promise<Written & { readonly file: string }> {
  const { folder } = order;
  await makeFolder(folder);
  const file = path.join(folder, backupFileName(new Date()));
  const partial = `${file}.partial`;
  try {
    const signal = order.stop === undefined ? {} : { signal: order.stop };
    const written = await drain(order, (bytes) =>
      pipeline(bytes, createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true }), signal),
    );
    await checkBackup(createReadStream(partial, { highWaterMark: 2 ** 20, ...signal }));
    await rename(partial, file);
    // A file's name is on the disk once its folder is.
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
    return { ...written, file };
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') await rm(partial, { force: true });
    throw error;
  }
}

/** Makes a folder and its parents; Node.js does not end doing so below /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const parent = path.dirname(folder);
    const code = systemErrorCode(error);
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || existsSync(parent)) throw error;
    await makeFolder(parent);
    await mkdir(folder, { mode: 0o700 });
  }
}

/** The name of a backup's file, which sorts by time. */
export function backupFileName(at: Date): string {
  return `plimsoll-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.tar`;
}

async function drain(source: BackupSource, into: (bytes: Readable) => Promise<void>): Promise<Written> {
  let written: Written | null = null;
  async function* bytes(): AsyncGenerator<Buffer> {
    written = yield* writeBackup(source);
  }
  await into(Readable.from(bytes(), { highWaterMark: 1 }));
  if (written === null) throw new Error('the backup was given up');
  return written;
}

function asStartError(error: unknown, target: string): unknown {
  if (error instanceof BackupError) return new StartError(error.message, { cause: error });
  if (isNativeError(error) && 'syscall' in error) {
    const code = systemErrorCode(error) ?? '';
    if (saysDiskFull(error.message) || code === 'ENOSPC' || code === 'EDQUOT')
      return new StartError(`The disk of ${target} is full: the backup was given up.`, { cause: error });
    if (['EACCES', 'EPERM', 'ENOENT', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code))
      return new StartError(`No backup can be written to ${target}: ${error.message}.`, { cause: error });
    if (code === 'EPIPE')
      return new StartError(`The reader of ${target} ended before the backup.`, { cause: error });
  }
  return error;
}

const undefinedTable = '42P01';

/** Stores how a backup went, where a schema before this round has no table for it. */
async function noteRound(databaseUrl: string, failure: string | null): Promise<void> {
  const db = openDatabase({
    databaseUrl,
    poolSize: 1,
    applicationName: 'plimsoll backup',
    onIdleError: () => undefined,
  });
  try {
    const rounds = createRoundStore(db);
    await (failure === null ? rounds.noteSuccess('back up') : rounds.noteFailure('back up', failure));
  } catch (error) {
    if (!(isNativeError(error) && 'code' in error && error.code === undefinedTable)) throw error;
  } finally {
    await db.close();
  }
}
