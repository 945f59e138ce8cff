import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { finished } from 'node:stream/promises';

/** One attempt to send a report, and the service's answer. */
export interface SentUpload {
  readonly hostId: string;
  /** The host's number in the fleet. */
  readonly host: number;
  readonly round: number;
  /** Counts the reports of the host, from 1; attempts to send the same report have the same number. */
  readonly report: number;
  /** ISO 8601. */
  readonly sentAt: string;
  /** SHA-256 of the protobuf, hexadecimal. */
  readonly sha256: string;
  /** HTTP status; 0 without an answer. */
  readonly status: number;
  /** `queued` or `unchanged` for an accepted report; otherwise the error code or the reason. */
  readonly answer: string;
  /** The upload's id; null if it was not accepted. */
  readonly uploadId: string | null;
  /** Milliseconds until the answer. */
  readonly ms: number;
}

/** What was sent, in order. One JSON object per line of a file. */
export interface Ledger {
  note(upload: SentUpload): void;
  readonly uploads: readonly SentUpload[];
  /** Resolves when every line is in the file. */
  close(): Promise<void>;
}

/** A new ledger; `file` is replaced. Null: it is kept in memory only. */
export function openLedger(file: string | null): Ledger {
  const uploads: SentUpload[] = [];
  const stream = file === null ? null : createWriteStream(file);
  // Listens from the beginning, because the file may turn out to be unwritable before it is closed.
  const written = stream === null ? Promise.resolve() : finished(stream);
  written.catch(() => undefined);
  return {
    uploads,
    note(upload) {
      uploads.push(upload);
      stream?.write(`${JSON.stringify(upload)}\n`);
    },
    close() {
      stream?.end();
      return written;
    },
  };
}

/** The uploads of a ledger's file. Throws if a line is not JSON. */
export async function readLedger(file: string): Promise<readonly SentUpload[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as SentUpload); // openLedger wrote it.
}

/** Whether the service accepted a report. */
export function isAccepted({ status, uploadId }: SentUpload): boolean {
  return status === 202 && uploadId !== null;
}
