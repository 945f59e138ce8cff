import { ReadableStream, type ReadableStreamDefaultReader } from 'node:stream/web';
import * as xz from 'xz-decompress';
import { ImportError } from './import-error.ts';

// A CommonJS module whose exports Node.js cannot find by name.
const { XzReadableStream } = ('default' in xz ? xz.default : xz) as typeof xz;
/** The package uses the browsers' type of streams; Node.js has the same streams. */
type PackedStream = ConstructorParameters<typeof XzReadableStream>[0];

/**
 * The highest plausible compression ratio of text; small files may exceed it. xz packs zeros 7,000 to one.
 */
const maxRatio = 2_000;
const harmlessBytes = 64 * 1024 * 1024;

/**
 * Unpacks an xz file (https://tukaani.org/xz/xz-file-format.txt), including several concatenated streams, in
 * pieces of at most 64 KiB. The decoder refuses dictionaries above 64 MiB and checks the checksums of blocks.
 * Throws ImportError for a file that is truncated, damaged or a bomb.
 */
export async function* unpackXz(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const packed = new PackedBytes(chunks);
  const reader = new XzReadableStream(packed.stream() as PackedStream).getReader();
  let unpacked = 0;
  try {
    for (;;) {
      const next = await read(reader, packed);
      if (next.done) return;
      unpacked += next.value.length;
      if (unpacked > harmlessBytes && unpacked > packed.bytes * maxRatio)
        throw new ImportError('too_large', `The file unpacks to more than ${maxRatio} times its size.`);
      if (next.value.length > 0)
        yield Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length);
    }
  } finally {
    // One decoder runs at a time: an unfinished file must release it.
    await reader.cancel().catch(() => undefined);
  }
}

/** The bytes of the file, counted. Keeps a read error, so that it is not reported as damage. */
class PackedBytes {
  bytes = 0;
  error: unknown = null;
  private readonly chunks: AsyncIterator<Buffer>;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.chunks = chunks[Symbol.asyncIterator]();
  }

  stream(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        pull: async (controller) => {
          try {
            const next = await this.chunks.next();
            if (next.done === true) return controller.close();
            this.bytes += next.value.length;
            controller.enqueue(next.value);
          } catch (error) {
            this.error = error;
            throw error;
          }
        },
        cancel: async () => {
          await this.chunks.return?.();
        },
      },
      { highWaterMark: 0 },
    );
  }
}

async function read(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  packed: PackedBytes,
): ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']> {
  try {
    return await reader.read();
  } catch (cause) {
    throw packed.error ?? new ImportError('corrupt_archive', 'The xz file is cut off or damaged.', { cause });
  }
}
