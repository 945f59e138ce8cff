import { buffer } from 'node:stream/consumers';
import { ReadableStream, type ReadableWritablePair } from 'node:stream/web';
import { isNativeError } from 'node:util/types';
import { createTarDecoder, type ParsedTarEntry, packTar } from 'modern-tar';
import { StartError } from '../service/start-error.ts';

/** A file of an archive. */
export interface TarEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

/** What `readTar` holds in memory at most: writers make pieces of half this size. */
export const longestEntryBytes = 8 * 2 ** 20;

/** What follows the last file. */
export const tarEnd = Buffer.alloc(1024);

/** A file in ustar format (POSIX.1-1988), readable for its owner only. */
export async function tarEntry({ name, bytes }: TarEntry, mtime: Date): Promise<Buffer> {
  const header = { name, size: bytes.length, mode: 0o600, mtime };
  const archive = await packTar([{ header, body: bytes }]);
  return Buffer.from(archive.buffer, 0, archive.length - tarEnd.length);
}

/**
 * The files of an archive in its order, each read whole. Throws StartError for anything else: an archive cut short, of another
 * program, with a link or a folder, or with a file beyond `longestEntryBytes`. Names are as hostile as the archive.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry, void> {
  try {
    const entries = ReadableStream.from<Uint8Array>(source).pipeThrough(
      createTarDecoder({ strict: true }) as ReadableWritablePair<ParsedTarEntry, Uint8Array>,
    );
    for await (const { header, body } of entries) {
      const { name, type, size } = header;
      const place = JSON.stringify(name.slice(0, 100));
      if (type !== 'file') throw new Error(`${place} is of type ${type}.`);
      if (size > longestEntryBytes) throw new Error(`${place} has ${size} bytes.`);
      yield { name, bytes: await buffer(body) };
    }
  } catch (cause) {
    // An error of the source has a code.
    if (!isNativeError(cause) || 'code' in cause || cause instanceof StartError) throw cause;
    throw new StartError(`This is not a backup of "plimsoll backup", or it is damaged: ${cause.message}`, {
      cause,
    });
  }
}
