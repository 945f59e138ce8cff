import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FeedRecord } from './feed-record.ts';
import { ImportError } from './import-error.ts';
import { putBack } from './put-back.ts';
import { readTarRecords } from './read-tar-records.ts';
import { readTextRecords } from './read-text-records.ts';
import { readZipRecords } from './read-zip-records.ts';
import { isTar, tarBlockBytes } from './tar-header.ts';
import { unpackBzip2 } from './unpack-bzip2.ts';
import { unpackXz } from './unpack-xz.ts';
import { unpackZstd } from './unpack-zstd.ts';

/**
 * The records of a feed's file: a zip of `.json` files, JSON Lines, one JSON value, updateinfo XML, EPSS's or
 * distro-info's CSV, or any of these texts, or a tar of `.json` files, compressed by gzip, zstd, xz or bzip2.
 * Recognises the format by content. Throws ImportError if the file as a whole cannot be read.
 */
export async function* readRecords(path: string): AsyncGenerator<FeedRecord> {
  const start = await readStart(path);
  if (start.length === 0) throw new ImportError('no_records', 'The file is empty.');
  const kind = kindOf(start);
  switch (kind) {
    case 'zip':
      yield* readZipRecords(path);
      return;
    case 'gzip':
      yield* readGzip(path);
      return;
    case 'zstd':
      yield* readUnpacked(unpackZstd(buffersOf(createReadStream(path))));
      return;
    case 'xz':
      yield* readUnpacked(unpackXz(buffersOf(createReadStream(path))));
      return;
    case 'bzip2':
      yield* readUnpacked(unpackBzip2(buffersOf(createReadStream(path))));
      return;
    case 'text':
      yield* readTextRecords(buffersOf(createReadStream(path)));
      return;
    case 'binary':
      throw new ImportError(
        'not_recognised',
        'The file is neither a zip, nor gzip, zstd, xz, bzip2 or text.',
      );
  }
}

type FileKind = 'zip' | 'gzip' | 'text' | 'binary' | 'xz' | 'zstd' | 'bzip2';

const signatures: readonly (readonly [FileKind, string])[] = [
  ['zip', 'PK\x03\x04'],
  ['zip', 'PK\x05\x06'],
  ['gzip', '\x1f\x8b'],
  ['xz', '\xfd7zXZ\x00'],
  ['zstd', '\x28\xb5\x2f\xfd'],
  ['bzip2', 'BZh'],
];

function kindOf(start: Buffer): FileKind {
  const text = start.toString('latin1');
  const known = signatures.find(([, signature]) => text.startsWith(signature));
  return known?.[0] ?? (start.includes(0) ? 'binary' : 'text');
}

async function* readGzip(path: string): AsyncGenerator<FeedRecord> {
  // The reader of the stream gets the error; the callback prevents a second, unhandled one.
  const text = pipeline(createReadStream(path), createGunzip(), () => undefined);
  try {
    yield* readUnpacked(buffersOf(text));
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError('corrupt_archive', 'The gzip file is cut off or damaged.', { cause: error });
  }
}

/** The records in a compressed file: of a tar archive or a text. */
async function* readUnpacked(chunks: AsyncIterable<Buffer>): AsyncGenerator<FeedRecord> {
  const iterator = chunks[Symbol.asyncIterator]();
  const read: Buffer[] = [];
  for (let length = 0; length < tarBlockBytes; ) {
    const next = await iterator.next();
    if (next.done === true) break;
    read.push(next.value);
    length += next.value.length;
  }
  const all = putBack(read, iterator);
  if (isTar(Buffer.concat(read))) yield* readTarRecords(all);
  else yield* readTextRecords(all);
}

async function* buffersOf(stream: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of stream) yield chunk as Buffer; // No encoding is set, so that chunks are buffers.
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
