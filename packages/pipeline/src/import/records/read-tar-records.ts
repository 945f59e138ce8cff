import { buffer } from 'node:stream/consumers';
import { ReadableStream, type ReadableWritablePair } from 'node:stream/web';
import { createTarDecoder, type ParsedTarEntry } from 'modern-tar';
import { type FeedRecord, recordLimits, toDocument } from './feed-record.ts';
import { ImportError } from './import-error.ts';
import { withFormat } from './read-text-records.ts';

/** How many bytes `isTar` needs. */
export const tarBlockBytes = 512;

/** Whether bytes begin a tar archive (POSIX.1-2017, pax, ustar interchange format). @param start at least one block. */
export function isTar(start: Buffer): boolean {
  return start.length >= tarBlockBytes && start.toString('latin1', 257, 262) === 'ustar';
}

/**
 * The records of a tar archive in its order, one per `.json` file; other entries are skipped, with any type
 * and path: nothing is unpacked to the disk. Holds at most one entry. Throws ImportError for an archive that
 * is truncated, damaged or above the limits.
 */
export async function* readTarRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<FeedRecord> {
  let [count, total] = [0, 0];
  try {
    const entries = ReadableStream.from<Uint8Array>(chunks).pipeThrough(
      createTarDecoder({ strict: true }) as ReadableWritablePair<ParsedTarEntry, Uint8Array>,
    );
    for await (const { header, body } of entries) {
      const place = header.name.slice(0, 200);
      if (++count > recordLimits.entries)
        throw new ImportError('too_large', `The archive has more than ${recordLimits.entries} entries.`);
      total += header.size;
      if (total > recordLimits.archiveBytes)
        throw new ImportError('too_large', 'The archive contains more than 64 GiB.');
      const isDocument = header.type === 'file' && place.endsWith('.json');
      if (isDocument && header.size <= recordLimits.documentBytes) {
        yield withFormat(toDocument(place, await buffer(body)));
        continue;
      }
      await body.cancel();
      if (isDocument)
        yield { kind: 'broken', place, detail: `is larger than ${recordLimits.documentBytes} bytes` };
    }
  } catch (cause) {
    // Errors of the file and of its compression have a code.
    if (cause instanceof Error && 'code' in cause) throw cause;
    throw new ImportError('corrupt_archive', 'The tar archive is cut off or damaged.', { cause });
  }
}
