import { setImmediate as pause } from 'node:timers/promises';
import type { ContentEncoding } from '@plimsoll/contract';
import { AppError, type FieldError, type Observation, type Snapshot } from '@plimsoll/model';
import {
  observedRepositories,
  oldestListAt,
  readReportFacts,
  type UploadBody,
  type UploadFacts,
} from '@plimsoll/pipeline/intake';
import {
  decodeHeader,
  decodeObservation,
  decodeSnapshot,
  type Envelope,
  KnownPackages,
  readEnvelope,
  type SnapshotHeader,
} from '@plimsoll/reports';
import type { ByteBody, LargeBody, SmallBody } from '../http/read-request.ts';
import { reportMachineId } from './report-machine-id.ts';
import type { UploadGate } from './upload-gate.ts';

/** An upload whose body is arriving. */
interface IncomingUpload {
  /** The door and host under which its memory and place are counted. */
  readonly sender: string;
  readonly form: UploadForm;
  readonly body: ByteBody;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** An upload ready to be compared with the host's last one and stored. */
export interface UploadInHand {
  readonly understood: UnderstoodUpload;
  readonly stored: UploadBody;
  /**
   * Throws `invalid_protobuf` or `snapshot_invalid` unless the whole upload is valid. Returns the snapshot; null for a
   * text report, and for a large upload, which was checked before.
   */
  requireWhole(): WholeSnapshot | null;
}

/** A decoded structured snapshot. */
export interface WholeSnapshot {
  readonly snapshot: Snapshot;
  /** Corrections that decoding made. */
  readonly notes: readonly FieldError[];
  /** The uncompressed bytes. */
  readonly bytes: Uint8Array;
  readonly receivedAt: Date;
}

/** What receives uploads. */
interface UploadReceiver {
  readonly uploadGate: UploadGate;
  readonly uploadThreads: UploadThreads;
  clock(): Date;
}

/** The parts of an upload that a thread parsed, and the bytes as gzip. */
export interface ReadUpload {
  readonly understood: UnderstoodUpload;
  readonly gzip: Uint8Array<ArrayBuffer>;
}

/**
 * Parses an upload in a thread; its bytes are transferred. Throws what `understandWhole` throws, and `internal` if the
 * thread breaks or takes too long.
 */
type ReadInThread = (upload: UploadToRead) => Promise<ReadUpload>;

/** Parses large uploads in threads, so that the event loop stays free. */
export interface UploadThreads {
  /** Runs work on an upload of this size that needs a thread, as soon as one is free and no smaller work waits. */
  turn<T>(size: number, work: (read: ReadInThread) => Promise<T>): Promise<T>;
}

/**
 * Receives and parses an upload and stores it with `store`. A limited number of large ones are parsed and stored at a
 * time, the smallest first, because each then takes several times its size in memory. Throws what the gate, the body,
 * the parser and `store` throw.
 */
export function receiveUpload<T>(
  { sender, form, body, signal }: IncomingUpload,
  { uploadGate, uploadThreads, clock }: UploadReceiver,
  store: (upload: UploadInHand) => Promise<T>,
): Promise<T> {
  return uploadGate.use(
    sender,
    async (room) => {
      const whole = await body.whole(room);
      const receivedAt = clock();
      if (whole.kind === 'small') return store(await understandSmall(form, whole, receivedAt));
      return uploadThreads.turn(whole.size, async (read) =>
        store(await understandLarge(form, whole, receivedAt, read)),
      );
    },
    signal,
  );
}

/** Parses a small upload on the event loop, only as far as needed to compare it. */
async function understandSmall(form: UploadForm, body: SmallBody, receivedAt: Date): Promise<UploadInHand> {
  const understood = await understandUpload(form, body.bytes(), receivedAt);
  const { sent, encoding, size } = body;
  return {
    understood,
    stored: encoding === 'gzip' && sent.length < size ? { gzip: sent, size } : { bytes: body.bytes() },
    requireWhole: () =>
      understood.payloadKind === 'protobuf' ? requireSnapshot(body.bytes(), receivedAt) : null,
  };
}

/** Parses a large upload completely, in a thread. The body is empty afterwards. */
async function understandLarge(
  form: UploadForm,
  body: LargeBody,
  receivedAt: Date,
  read: ReadInThread,
): Promise<UploadInHand> {
  const { encoding, size } = body;
  const { understood, gzip } = await read({ form, sent: body.takeSent(), encoding, receivedAt });
  return { understood, stored: { gzip, size }, requireWhole: () => null };
}

/** The form of an upload: an agent's Snapshot or a collector's text. */
type UploadForm = 'snapshot' | 'report';

/** The bytes of an upload as sent, with what is needed to read them. */
export interface UploadToRead {
  readonly form: UploadForm;
  readonly sent: Uint8Array<ArrayBuffer>;
  readonly encoding: ContentEncoding | null;
  readonly receivedAt: Date;
}

/** The parsed parts of an upload that is not stored yet. */
interface UnderstoodUpload extends UploadFacts {
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
async function understandUpload(
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

/** Steps on fewer bytes take less than a millisecond. */
const pausedBytes = 256 * 1024;

/**
 * Parses an agent's upload, pausing after each step on many bytes: a body of 32 MiB made for the purpose takes half a second per
 * step, and others should not wait for all steps. Throws `invalid_protobuf` for an incomplete message,
 * `snapshot_invalid` for one that breaks a rule as a whole: a text report beside the fields it replaces, a clock a day
 * ahead.
 */
async function readSnapshot(bytes: Uint8Array, receivedAt: Date): Promise<UnderstoodUpload> {
  const endStep = async () => {
    if (bytes.length > pausedBytes) await pause();
  };
  const envelope = readEnvelope(bytes);
  await endStep();
  if (envelope.kind === 'malformed') throw new AppError('invalid_protobuf', `${envelope.detail}.`);
  const { contentHash, hasReport, hasStructured } = envelope;
  if (hasReport && hasStructured) {
    throw new AppError('snapshot_invalid', 'A snapshot is either structured or a text report, not both.', {
      errors: [{ pointer: '/report', detail: 'came together with the structured fields it replaces' }],
    });
  }
  const { collectedAt } = requireHeader(envelope, receivedAt);
  await endStep();
  if (hasReport) {
    const { isReadable, ...facts } = readReportFacts(envelope.report, receivedAt);
    return { ...facts, contentHash, mayBeUnchanged: isReadable, machineId: null };
  }
  const observed = readObservation(envelope);
  await endStep();
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

/** The packages that this process or thread has decoded. */
const known = new KnownPackages();

/** Throws `invalid_protobuf` or `snapshot_invalid` unless the bytes are a valid structured snapshot. */
function requireSnapshot(bytes: Uint8Array, receivedAt: Date): WholeSnapshot {
  const decoded = decodeSnapshot(bytes, { receivedAt, known });
  if (decoded.kind !== 'snapshot') return refuse(decoded);
  return { snapshot: decoded.snapshot, notes: decoded.warnings, bytes, receivedAt };
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
