import type { Transform } from 'node:stream';
import zlib from 'node:zlib';

/** What Node.js has since 22.15, and 20 lacks. */
interface ZstdOfNode {
  createZstdDecompress(options: {
    readonly chunkSize: number;
    readonly params: Readonly<Record<number, number>>;
  }): Transform;
  readonly constants: { readonly ZSTD_d_windowLogMax: number };
}

const pieceBytes = 128 * 1024;

/**
 * A decoder of one zstd frame, which verifies its checksum and works outside of the event loop; null if this
 * Node.js has none. It fails for frames whose window is larger than 2 to the power of `windowLog` bytes.
 */
export function createNativeDecoder(windowLog: number): Transform | null {
  if (!('createZstdDecompress' in zlib)) return null;
  const { createZstdDecompress, constants } = zlib as unknown as ZstdOfNode; // Just checked.
  return createZstdDecompress({
    chunkSize: pieceBytes,
    params: { [constants.ZSTD_d_windowLogMax]: windowLog },
  });
}
