import { PassThrough, type Transform } from 'node:stream';
import zlib from 'node:zlib';
import type { ContentEncoding } from '@plimsoll/contract';
import { AppError, systemErrorCode } from '@plimsoll/model';

/** Decompresses a body in pieces. */
export function createDecoder(encoding: ContentEncoding | null): Transform {
  const options = { chunkSize: 64 * 1024 };
  switch (encoding) {
    case null:
      return new PassThrough();
    case 'gzip':
      return zlib.createGunzip(options);
    case 'deflate':
      return zlib.createInflate(options);
    case 'br':
      return zlib.createBrotliDecompress(options);
    default:
      return encoding satisfies never;
  }
}

/** The error of reading a body: `bad_request` if a decoder failed, otherwise the error itself. */
export function decodingFailure(error: unknown, encoding: ContentEncoding | null): unknown {
  if (error instanceof AppError || encoding === null) return error;
  const code = systemErrorCode(error) ?? '';
  if (!/^(Z_|ERR__ERROR_|ERR_BROTLI)/.test(code)) return error;
  return new AppError('bad_request', `The body is not whole and well-formed ${encoding}.`, { cause: error });
}
