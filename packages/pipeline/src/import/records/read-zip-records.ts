import { open } from 'node:fs/promises';
import { inflateRawSync } from 'node:zlib';
import yauzl from 'yauzl';
import { BufferedFile } from './buffered-file.ts';
import { type FeedRecord, recordLimits, toRawRecord } from './feed-record.ts';
import { ImportError } from './import-error.ts';
import { withFormat } from './read-text-records.ts';
import { shortenLists } from './shorten-lists.ts';

/** The records of a zip archive in its order, one per `.json` entry; skips other entries. */
export async function* readZipRecords(path: string): AsyncGenerator<FeedRecord> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const reader = new BufferedFile(file);
    const archive = await yauzl.fromRandomAccessReaderPromise(reader, size, {
      lazyEntries: true,
      autoClose: false,
      validateEntrySizes: true,
    });
    if (archive.entryCount > recordLimits.entries) {
      throw new ImportError('too_large', `The archive has more than ${recordLimits.entries} entries.`);
    }
    let total = 0;
    for await (const entry of archive.eachEntry()) {
      if (!entry.fileName.endsWith('.json')) continue;
      const place = entry.fileName.slice(0, 200);
      // Compressed data is hardly larger than the original.
      if (Math.max(entry.uncompressedSize, entry.compressedSize) > recordLimits.recordBytes) {
        yield { kind: 'broken', place, detail: `is larger than ${recordLimits.recordBytes} bytes` };
        continue;
      }
      total += entry.uncompressedSize;
      if (total > recordLimits.archiveBytes)
        throw new ImportError('too_large', 'The archive contains more than 64 GiB.');
      yield await readEntry({ archive, reader, entry }, place);
    }
  } catch (error) {
    if (error instanceof ImportError) throw error;
    throw new ImportError('corrupt_archive', 'The archive is cut off or damaged.', { cause: error });
  } finally {
    await file.close();
  }
}

interface ArchiveEntry {
  readonly archive: yauzl.ZipFile;
  readonly reader: BufferedFile;
  readonly entry: yauzl.Entry;
}

async function readEntry({ archive, reader, entry }: ArchiveEntry, place: string): Promise<FeedRecord> {
  if (entry.isEncrypted()) return { kind: 'broken', place, detail: 'is encrypted' };
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8) {
    return { kind: 'broken', place, detail: 'is compressed in a way that is not supported' };
  }
  const { fileDataStart } = await archive.readLocalFileHeaderPromise(entry, { minimal: true });
  const bytes = inflate(entry, await reader.bytesAt(fileDataStart, entry.compressedSize));
  if (bytes === null) return { kind: 'broken', place, detail: 'does not have the size the archive says' };
  return withFormat(toRawRecord(place, shortenLists(bytes)));
}

/** The smallest buffer that zlib accepts. */
const leastChunkBytes = 64;

/** The entry's bytes; null if their number differs from the one in the archive, as in a zip bomb. */
function inflate({ compressionMethod, uncompressedSize }: yauzl.Entry, raw: Buffer): Buffer | null {
  if (compressionMethod === 0) return raw.length === uncompressedSize ? Buffer.from(raw) : null;
  try {
    // Synchronous: five times as fast as a stream for each of 35,000 small records.
    const inflated = inflateRawSync(raw, {
      maxOutputLength: Math.max(1, uncompressedSize),
      // One chunk of the right size: chunks of 16 KiB for records of 6 KiB stay in memory for a long time.
      chunkSize: Math.max(leastChunkBytes, uncompressedSize),
    });
    return inflated.length === uncompressedSize ? inflated : null;
  } catch {
    return null;
  }
}
