import { setImmediate as pause } from 'node:timers/promises';
import type { ContentEncoding } from '@plimsoll/contract';
import { AppError, type Observation } from '@plimsoll/model';
import {
  observedRepositories,
  oldestListAt,
  readReportFacts,
  type UploadFacts,
} from '@plimsoll/pipeline/intake';
import {
  decodeHeader,
  decodeObservation,
  decodeSnapshot,
  type Envelope,
  readEnvelope,
  type SnapshotHeader,
} from '@plimsoll/reports';
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
  /**
   * False for a text report that breaks a rule in a part not covered by its content hash: the worker reports the error.
   */
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
  if (form === 'snapshot') return readSnapshot(bytes, receivedAt);
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

/**
 * Parses an agent's upload, pausing after each step: a body of 32 MiB made for the purpose takes half a second per
 * step, and others should not wait for all steps. Throws `invalid_protobuf` for an incomplete message,
 * `snapshot_invalid` for one that breaks a rule as a whole: a text report beside the fields it replaces, a clock a day
 * ahead.
 */
async function readSnapshot(bytes: Uint8Array, receivedAt: Date): Promise<UnderstoodUpload> {
  const envelope = readEnvelope(bytes);
  await pause();
  if (envelope.kind === 'malformed') throw new AppError('invalid_protobuf', `${envelope.detail}.`);
  const { contentHash, hasReport, hasStructured } = envelope;
  if (hasReport && hasStructured) {
    throw new AppError('snapshot_invalid', 'A snapshot is either structured or a text report, not both.', {
      errors: [{ pointer: '/report', detail: 'came together with the structured fields it replaces' }],
    });
  }
  const { collectedAt } = requireHeader(envelope, receivedAt);
  await pause();
  if (hasReport) {
    const { isReadable, ...facts } = readReportFacts(envelope.report, receivedAt);
    return { ...facts, contentHash, mayBeUnchanged: isReadable, machineId: null };
  }
  const observed = readObservation(envelope);
  await pause();
  return {
    payloadKind: 'protobuf',
    contentHash,
    bootedAt: observed.bootedAt,
    listsAt: oldestListAt(observed),
    repositories: observedRepositories(observed),
    collectedAt,
    mayBeUnchanged: true,
    machineId: null,
  };
}

/** Throws `invalid_protobuf` or `snapshot_invalid` unless the bytes are a valid structured snapshot. */
export function requireSnapshot(bytes: Uint8Array, receivedAt: Date): void {
  const decoded = decodeSnapshot(bytes, { receivedAt });
  if (decoded.kind !== 'snapshot') refuse(decoded);
}

function requireHeader(envelope: Extract<Envelope, { kind: 'envelope' }>, receivedAt: Date): SnapshotHeader {
  const decoded = decodeHeader(envelope.header, { receivedAt });
  if (decoded.kind === 'header') return decoded.header;
  return refuse(decoded);
}

function readObservation(envelope: Extract<Envelope, { kind: 'envelope' }>): Observation {
  const observed = decodeObservation(envelope.observation);
  if (observed === null) throw new AppError('invalid_protobuf', 'Field 14 is not a well-formed observation.');
  return observed;
}

type Refused = Exclude<
  ReturnType<typeof decodeSnapshot> | ReturnType<typeof decodeHeader>,
  { kind: 'snapshot' | 'header' }
>;

function refuse(decoded: Refused): never {
  switch (decoded.kind) {
    case 'invalid_protobuf':
      throw new AppError('invalid_protobuf', `${decoded.detail}.`);
    case 'snapshot_invalid': {
      const [first] = decoded.errors;
      const detail =
        first === undefined ? 'The snapshot breaks a rule.' : `${first.pointer} ${first.detail}.`;
      throw new AppError('snapshot_invalid', detail, { errors: decoded.errors });
    }
    default:
      throw new Error(`a snapshot was refused for no known reason: ${decoded satisfies never}`);
  }
}
