import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import type { ReceivedUpload } from '@plimsoll/db';
import {
  type FieldError,
  maxUploadBytes,
  type Snapshot,
  systemErrorCode,
  uploadCompressionLevel,
} from '@plimsoll/model';
import { decodeSnapshot, encodeSnapshot, KnownPackages, parseReport, readEnvelope } from '@plimsoll/reports';
import { gunzipAtOnce } from '../intake/store-upload.ts';

const gzip = promisify(zlib.gzip);

const known = new KnownPackages();

/** The result of parsing an upload. */
export type ParsedPayload =
  | {
      readonly kind: 'parsed';
      readonly snapshot: Snapshot;
      /** Corrections that were made to it. */
      readonly notes: readonly FieldError[];
      /** gzip of the raw protobuf as received, or of the protobuf made from a text report. */
      readonly payloadGzip: Uint8Array;
      readonly payloadSha256: Uint8Array;
      readonly payloadSize: number;
    }
  | { readonly kind: 'rejected'; readonly code: string; readonly errors: readonly FieldError[] };

/** Parses the bytes of an upload. Returns `rejected` for bytes that are not a valid report. */
export async function parseUpload(upload: ReceivedUpload): Promise<ParsedPayload> {
  const bytes = decompress(upload.body);
  if (bytes === null) return rejected('internal', 'The stored body is damaged.');
  switch (upload.payloadKind) {
    case 'protobuf':
      return parseStructured(bytes, upload);
    case 'report':
      return upload.door === 'agent' ? parseWrapped(bytes, upload) : parseText(bytes, upload);
    default:
      return upload.payloadKind satisfies never;
  }
}

function parseStructured(payload: Uint8Array, { body, reportedAt }: ReceivedUpload): ParsedPayload {
  const decoded = decodeSnapshot(payload, { receivedAt: reportedAt, known });
  switch (decoded.kind) {
    case 'invalid_protobuf':
      return rejected('invalid_protobuf', decoded.detail);
    case 'snapshot_invalid':
      return { kind: 'rejected', code: 'snapshot_invalid', errors: decoded.errors };
    case 'snapshot':
      return {
        kind: 'parsed',
        snapshot: decoded.snapshot,
        notes: decoded.warnings,
        payloadGzip: body,
        ...measured(payload),
      };
    default:
      return decoded satisfies never;
  }
}

/** Agents send text reports inside a protobuf message. */
async function parseWrapped(message: Uint8Array, upload: ReceivedUpload): Promise<ParsedPayload> {
  const envelope = readEnvelope(message);
  if (envelope.kind === 'malformed') return rejected('invalid_protobuf', envelope.detail);
  return parseText(envelope.report, upload);
}

async function parseText(report: Uint8Array, { reportedAt }: ReceivedUpload): Promise<ParsedPayload> {
  const parsed = parseReport(report, { receivedAt: reportedAt });
  switch (parsed.kind) {
    case 'report_invalid':
      return { kind: 'rejected', code: 'report_invalid', errors: parsed.errors };
    case 'snapshot': {
      const payload = encodeSnapshot(parsed.snapshot);
      const payloadGzip = await gzip(payload, { level: uploadCompressionLevel });
      const { snapshot, warnings: notes } = parsed;
      return { kind: 'parsed', snapshot, notes, payloadGzip, ...measured(payload) };
    }
    default:
      return parsed satisfies never;
  }
}

function measured(payload: Uint8Array): { payloadSha256: Uint8Array; payloadSize: number } {
  return { payloadSha256: createHash('sha256').update(payload).digest(), payloadSize: payload.length };
}

function rejected(code: string, detail: string): ParsedPayload {
  return { kind: 'rejected', code, errors: [{ pointer: '', detail }] };
}

function decompress(body: Uint8Array): Buffer | null {
  try {
    return gunzipAtOnce(body, maxUploadBytes);
  } catch (error) {
    const code = systemErrorCode(error);
    // Another failure, such as too little memory, says nothing about the body.
    if (code !== 'ERR_BUFFER_TOO_LARGE' && code !== 'Z_DATA_ERROR' && code !== 'Z_BUF_ERROR') throw error;
    return null;
  }
}
