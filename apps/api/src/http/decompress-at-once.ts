import zlib from 'node:zlib';
import type { ContentEncoding } from '@plimsoll/contract';

/** A whole body, decompressed on this thread. Throws zlib's errors; ERR_BUFFER_TOO_LARGE above `maxOutputLength`. */
export function decompressAtOnce<Sent extends Uint8Array>(
  sent: Sent,
  encoding: ContentEncoding | null,
  options: { readonly maxOutputLength: number; readonly chunkSize?: number },
): Sent | Buffer {
  switch (encoding) {
    case null:
      return sent;
    case 'gzip':
      return zlib.gunzipSync(sent, options);
    case 'deflate':
      return zlib.inflateSync(sent, options);
    case 'br':
      return zlib.brotliDecompressSync(sent, options);
    default:
      return encoding satisfies never;
  }
}
