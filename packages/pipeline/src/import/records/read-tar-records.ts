import { ByteQueue } from './byte-queue.ts';
import { type FeedRecord, recordLimits, toDocument } from './feed-record.ts';
import { ImportError } from './import-error.ts';
import { withFormat } from './read-text-records.ts';
import { nameAndSize, readTarHeader, tarBlockBytes } from './tar-header.ts';

const skippedAtOnce = 64 * 1024;
/** The extended header of an entry has a path and times. */
const maxExtendedBytes = 64 * 1024;

/**
 * The records of a tar archive in its order, one per `.json` file; other entries are skipped, with any type
 * and path: nothing is unpacked to the disk. Holds at most one entry. Throws ImportError for an archive that
 * is truncated, damaged or above the limits.
 */
export async function* readTarRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<FeedRecord> {
  const queue = new ByteQueue(chunks);
  let extended: { readonly path?: string; readonly size?: number } = {};
  let total = 0;
  for (let entries = 0; ; entries++) {
    if (entries > recordLimits.entries)
      throw new ImportError('too_large', `The archive has more than ${recordLimits.entries} entries.`);
    const header = readTarHeader(await exactly(queue, tarBlockBytes));
    if (header === 'end') return;
    if (header === 'damaged') throw damaged();
    const size = extended.size ?? header.size;
    const place = (extended.path ?? header.path).slice(0, 200);
    if (header.type === 'extended' || header.type === 'long_name') {
      if (size > maxExtendedBytes) throw damaged();
      const content = (await padded(queue, size)).toString('utf8');
      extended =
        header.type === 'extended'
          ? { ...extended, ...nameAndSize(content) }
          : { ...extended, path: untilNul(content) };
      continue;
    }
    extended = {};
    total += size;
    if (total > recordLimits.archiveBytes)
      throw new ImportError('too_large', 'The archive contains more than 64 GiB.');
    if (header.type !== 'file' || !place.endsWith('.json')) await skip(queue, size);
    else if (size > recordLimits.documentBytes) {
      await skip(queue, size);
      yield { kind: 'broken', place, detail: `is larger than ${recordLimits.documentBytes} bytes` };
    } else yield withFormat(toDocument(place, await padded(queue, size)));
  }
}

function untilNul(text: string): string {
  return text.split('\0', 1)[0] ?? '';
}

/** The content of an entry, without the padding of its last block. */
async function padded(queue: ByteQueue, size: number): Promise<Buffer> {
  const content = await exactly(queue, size);
  await exactly(queue, rest(size));
  return content;
}

async function skip(queue: ByteQueue, size: number): Promise<void> {
  for (let left = size + rest(size); left > 0; left -= Math.min(left, skippedAtOnce))
    await exactly(queue, Math.min(left, skippedAtOnce));
}

function rest(size: number): number {
  return (tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes;
}

async function exactly(queue: ByteQueue, count: number): Promise<Buffer> {
  const bytes = await queue.take(count);
  if (bytes.length < count) throw damaged();
  return bytes;
}

function damaged(): ImportError {
  return new ImportError('corrupt_archive', 'The tar archive is cut off or damaged.');
}
