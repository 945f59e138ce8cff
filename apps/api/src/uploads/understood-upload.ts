import type { ContentEncoding } from '@plimsoll/contract';
import { readReportFacts, type UploadFacts } from '@plimsoll/pipeline/intake';
import { readUpload, requireSnapshot } from './read-upload.ts';
import { reportMachineId } from './report-machine-id.ts';

/** The form of an upload: an agent's Snapshot or a collector's text. */
export type UploadForm = 'snapshot' | 'report';

/** The bytes of an upload as sent, with what is needed to read them. */
export interface UploadToRead {
  readonly form: UploadForm;
  readonly sent: Uint8Array<ArrayBuffer>;
  readonly encoding: ContentEncoding | null;
  readonly receivedAt: Date;
}

/** What is parsed of an upload before it is stored. */
export interface UnderstoodUpload extends UploadFacts {
  /** False if it breaks a rule in a part not covered by its content hash: the worker reports the error. */
  readonly mayBeUnchanged: boolean;
  /** The machine id in a collector's text; null without one and for a Snapshot. */
  readonly machineId: string | null;
}

/**
 * Parses a Snapshot or a text. Throws `invalid_protobuf` or `snapshot_invalid` for an invalid Snapshot. Only the
 * beginning of a text is read here; the report-worker parses it.
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

/** As `understandUpload`, and checks a structured Snapshot completely. */
export async function understandWhole(
  form: UploadForm,
  bytes: Uint8Array,
  receivedAt: Date,
): Promise<UnderstoodUpload> {
  const understood = await understandUpload(form, bytes, receivedAt);
  if (understood.payloadKind === 'protobuf') requireSnapshot(bytes, receivedAt);
  return understood;
}
