import type { ContentEncoding } from '@plimsoll/contract';
import { readReportFacts, type UploadFacts } from '@plimsoll/pipeline/intake';
import { readUpload, requireSnapshot } from './read-upload.ts';
import { reportMachineId } from './report-machine-id.ts';

/** How an upload is to be read: a Snapshot of an agent, or the text of a collector. */
export type UploadForm = 'snapshot' | 'report';

/** Bytes of an upload as they came, with what it takes to read them. */
export interface UploadToRead {
  readonly form: UploadForm;
  readonly sent: Uint8Array<ArrayBuffer>;
  readonly encoding: ContentEncoding | null;
  readonly receivedAt: Date;
}

/** What is understood of an upload before it is stored. */
export interface UnderstoodUpload extends UploadFacts {
  /** False where it breaks a rule in what its content hash leaves out: the worker will say so. */
  readonly mayBeUnchanged: boolean;
  /** The machine that a text of a collector names; null where it names none, and for a Snapshot. */
  readonly machineId: string | null;
}

/**
 * Reads a Snapshot or a text. Throws `invalid_protobuf` or `snapshot_invalid` for a Snapshot that is not one or breaks a
 * rule; a text is read by the report-worker, its beginning apart.
 */
export async function understandUpload(
  form: UploadForm,
  bytes: Uint8Array,
  receivedAt: Date,
): Promise<UnderstoodUpload> {
  if (form === 'snapshot') return { ...(await readUpload(bytes, receivedAt)), machineId: null };
  const { isReadable, ...facts } = readReportFacts(bytes, receivedAt);
  return { ...facts, mayBeUnchanged: isReadable, machineId: reportMachineId(bytes) };
}

/** Reads all of an upload, as `understandUpload`, and checks a structured Snapshot to its end. */
export async function understandWhole(
  form: UploadForm,
  bytes: Uint8Array,
  receivedAt: Date,
): Promise<UnderstoodUpload> {
  const understood = await understandUpload(form, bytes, receivedAt);
  if (understood.payloadKind === 'protobuf') requireSnapshot(bytes, receivedAt);
  return understood;
}
