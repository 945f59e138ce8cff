import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ReceivedUpload } from '@plimsoll/db';
import type { FieldError, Snapshot } from '@plimsoll/model';
import { decodeSnapshot } from '@plimsoll/reports';

/** The most an upload may hold, decompressed; the doors let no more in. */
const maxPayloadBytes = 32 * 1024 * 1024;

/** What became of an upload's bytes. */
export type ParsedPayload =
  | {
      readonly kind: 'parsed';
      readonly snapshot: Snapshot;
      readonly payloadSha256: Uint8Array;
      readonly payloadSize: number;
    }
  | { readonly kind: 'rejected'; readonly code: string; readonly errors: readonly FieldError[] };

/** Understands the bytes of an upload. What cannot be understood is an answer, not an error. */
export async function parseUpload(upload: ReceivedUpload): Promise<ParsedPayload> {
  if (upload.payloadKind === 'report') {
    return rejected('report_invalid', 'Text reports are not understood by this version of the service.');
  }
  const payload = await decompress(upload.body);
  if (payload === null) return rejected('invalid_protobuf', 'The stored body is damaged.');
  const decoded = decodeSnapshot(payload, { receivedAt: upload.receivedAt });
  switch (decoded.kind) {
    case 'invalid_protobuf':
      return rejected('invalid_protobuf', decoded.detail);
    case 'snapshot_invalid':
      return { kind: 'rejected', code: 'snapshot_invalid', errors: decoded.errors };
    case 'snapshot':
      return {
        kind: 'parsed',
        snapshot: decoded.snapshot,
        payloadSha256: createHash('sha256').update(payload).digest(),
        payloadSize: payload.length,
      };
    default:
      return decoded satisfies never;
  }
}

function rejected(code: string, detail: string): ParsedPayload {
  return { kind: 'rejected', code, errors: [{ pointer: '', detail }] };
}

async function decompress(body: Uint8Array): Promise<Buffer | null> {
  try {
    return await promisify(gunzip)(body, { maxOutputLength: maxPayloadBytes });
  } catch {
    return null;
  }
}
