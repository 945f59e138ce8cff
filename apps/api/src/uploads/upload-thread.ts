import { parentPort } from 'node:worker_threads';
import zlib from 'node:zlib';
import type { ContentEncoding } from '@plimsoll/contract';
import {
  AppError,
  type ErrorCode,
  type FieldError,
  maxUploadBytes,
  uploadCompressionLevel,
} from '@plimsoll/model';
import { lowerPriority } from '@plimsoll/process/lower-priority';
import { decompressAtOnce } from '../http/decompress-at-once.ts';
import { type ReadUpload, type UploadToRead, understandWhole } from './receive-upload.ts';

/** A thread's answer for an upload: what it parsed, with the bytes as gzip. */
export type ThreadAnswer =
  | ({ readonly kind: 'understood' } & ReadUpload)
  | {
      readonly kind: 'refused';
      readonly code: ErrorCode;
      readonly detail: string;
      readonly errors: readonly FieldError[];
    }
  | { readonly kind: 'failed'; readonly stack: string };

const port = parentPort;
if (port === null) throw new Error('this file is run as a thread');
lowerPriority('thread');
port.on('message', async (upload: UploadToRead) => {
  const answered = await answer(upload);
  // Transferred, not copied.
  port.postMessage(answered, answered.kind === 'understood' ? [answered.gzip.buffer] : []);
});

async function answer(upload: UploadToRead): Promise<ThreadAnswer> {
  try {
    const bytes = unpack(upload.sent, upload.encoding);
    const understood = await understandWhole(upload.form, bytes, upload.receivedAt);
    return { kind: 'understood', understood, gzip: upload.encoding === 'gzip' ? upload.sent : pack(bytes) };
  } catch (error) {
    if (error instanceof AppError) {
      return { kind: 'refused', code: error.code, detail: error.message, errors: error.errors };
    }
    return { kind: 'failed', stack: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** As gzip, in its own memory, so that it can be transferred. */
function pack(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zlib.gzipSync(bytes, { level: uploadCompressionLevel }));
}

/** The body was decompressed once on arrival to count it: it is complete, well-formed and within its limit. */
function unpack(sent: Uint8Array, encoding: ContentEncoding | null): Uint8Array {
  return decompressAtOnce(sent, encoding, maxUploadBytes);
}
