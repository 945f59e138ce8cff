import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FeedRecord } from './feed-record.ts';
import { ImportError } from './import-error.ts';
import { readTextRecords } from './read-text-records.ts';
import { readZipRecords } from './read-zip-records.ts';

/**
 * The records of a feed's file, whatever it is: a zip of `.json` files, JSON Lines, one JSON value, or any of the texts
 * compressed by gzip. Recognised by content. Throws ImportError where the file as a whole cannot be read.
 */
export async function* readRecords(path: string): AsyncGenerator<FeedRecord> {
  const start = await readStart(path);
  if (start.length === 0) throw new ImportError('no_records', 'The file is empty.');
  if (
    start.subarray(0, 4).equals(Buffer.from('PK\x03\x04')) ||
    start.subarray(0, 4).equals(Buffer.from('PK\x05\x06'))
  ) {
    yield* readZipRecords(path);
    return;
  }
  if (start[0] === 0x1f && start[1] === 0x8b) {
    yield* readGzip(path);
    return;
  }
  if (start.includes(0)) {
    throw new ImportError('not_recognised', 'The file is neither a zip, nor gzip, nor JSON text.');
  }
  yield* readTextRecords(createReadStream(path));
}

async function* readGzip(path: string): AsyncGenerator<FeedRecord> {
  // The reader of the stream learns of an error by itself; the callback keeps it from being thrown twice.
  const text = pipeline(createReadStream(path), createGunzip(), () => undefined);
  try {
    yield* readTextRecords(text);
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError('corrupt_archive', 'The gzip file is cut off or damaged.', { cause: error });
  }
}

async function readStart(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const buffer = Buffer.alloc(512);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
