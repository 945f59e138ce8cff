import zlib from 'node:zlib';
import type { ContentEncoding } from '@plimsoll/contract';
import { gunzipAtOnce } from '@plimsoll/pipeline/intake';

/** A whole body, decompressed on this thread. Throws zlib's errors; ERR_BUFFER_TOO_LARGE above `mostBytes`. */
export function decompressAtOnce<Sent extends Uint8Array>(
  sent: Sent,
  encoding: ContentEncoding | null,
  mostBytes: number,
): Sent | Buffer {
  const options = { maxOutputLength: mostBytes };
  switch (encoding) {
    case null:
      return sent;
    case 'gzip':
      return gunzipAtOnce(sent, mostBytes);
    case 'deflate':
      return zlib.inflateSync(sent, options);
    case 'br':
      return zlib.brotliDecompressSync(sent, options);
    default:
      return encoding satisfies never;
  }
}
