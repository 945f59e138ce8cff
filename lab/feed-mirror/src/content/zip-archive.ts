import { once } from 'node:events';
import { Readable } from 'node:stream';
import yazl from 'yazl';

/** A file of an archive. */
export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
}

/** The same time for all files, so that archives have the same bytes in every run. */
const mtime = new Date(Date.UTC(2026, 0, 1));

/** A zip archive of entries in the given order, in pieces. An entry is taken when the one before is in the archive. */
export function zipArchive(entries: Iterable<ZipEntry>): AsyncIterable<Buffer> {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable; // As documented; its type leaves out `destroy`.
  zip.on('error', (error: Error) => output.destroy(error));
  addAll(zip, entries).catch((error: unknown) => output.destroy(error as Error)); // what iterators throw
  return output;
}

async function addAll(zip: yazl.ZipFile, entries: Iterable<ZipEntry>): Promise<void> {
  for (const { name, content } of entries) {
    const file = Readable.from([content]);
    zip.addReadStream(file, name, { mtime, compressionLevel: 1, size: content.length });
    await once(file, 'end');
  }
  zip.end();
}
