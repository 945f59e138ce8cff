import { setImmediate as pause } from 'node:timers/promises';
import { oldestListAt, readReportFacts, type UploadFacts } from '@plimsoll/intake';
import { AppError, type Observation } from '@plimsoll/model';
import {
  decodeHeader,
  decodeObservation,
  decodeSnapshot,
  type Envelope,
  readEnvelope,
} from '@plimsoll/reports';

/** An upload as far as it has to be understood to recognise an unchanged one. */
export interface UploadEnvelope extends UploadFacts {
  /** False for a text report that breaks a rule in what its content hash leaves out: the worker will say so. */
  readonly mayBeUnchanged: boolean;
}

/**
 * Reads what an agent sent, with a pause after each step: a body of 32 MiB made for it takes half a second a step, and
 * nobody else should have to wait for all of them. Throws `invalid_protobuf` for what is no whole message, `snapshot_invalid` for one that
 * breaks a rule as a whole: a text report beside the fields it replaces, a clock that is a day ahead.
 */
export async function readUpload(bytes: Uint8Array, receivedAt: Date): Promise<UploadEnvelope> {
  const envelope = readEnvelope(bytes);
  await pause();
  if (envelope.kind === 'malformed') throw new AppError('invalid_protobuf', `${envelope.detail}.`);
  const { contentHash, hasReport, hasStructured } = envelope;
  if (hasReport && hasStructured) {
    throw new AppError('snapshot_invalid', 'A snapshot is either structured or a text report, not both.', {
      errors: [{ pointer: '/report', detail: 'came together with the structured fields it replaces' }],
    });
  }
  requireHeader(envelope, receivedAt);
  await pause();
  if (hasReport) {
    const { payloadKind, bootedAt, listsAt, isReadable } = readReportFacts(envelope.report, receivedAt);
    return { payloadKind, contentHash, bootedAt, listsAt, mayBeUnchanged: isReadable };
  }
  const observed = readObservation(envelope);
  await pause();
  return {
    payloadKind: 'protobuf',
    contentHash,
    bootedAt: observed.bootedAt,
    listsAt: oldestListAt(observed),
    mayBeUnchanged: true,
  };
}

/** Throws `invalid_protobuf` or `snapshot_invalid` unless bytes are a structured snapshot that breaks no rule. */
export function requireSnapshot(bytes: Uint8Array, receivedAt: Date): void {
  refuse(decodeSnapshot(bytes, { receivedAt }));
}

function requireHeader(envelope: Extract<Envelope, { kind: 'envelope' }>, receivedAt: Date): void {
  refuse(decodeHeader(envelope.header, { receivedAt }));
}

function readObservation(envelope: Extract<Envelope, { kind: 'envelope' }>): Observation {
  const observed = decodeObservation(envelope.observation);
  if (observed === null) throw new AppError('invalid_protobuf', 'Field 14 is not a well-formed observation.');
  return observed;
}

type Decoded = ReturnType<typeof decodeSnapshot> | ReturnType<typeof decodeHeader>;

function refuse(decoded: Decoded): void {
  switch (decoded.kind) {
    case 'snapshot':
    case 'header':
      return;
    case 'invalid_protobuf':
      throw new AppError('invalid_protobuf', `${decoded.detail}.`);
    case 'snapshot_invalid': {
      const [first] = decoded.errors;
      const detail =
        first === undefined ? 'The snapshot breaks a rule.' : `${first.pointer} ${first.detail}.`;
      throw new AppError('snapshot_invalid', detail, { errors: decoded.errors });
    }
    default:
      decoded satisfies never;
  }
}
