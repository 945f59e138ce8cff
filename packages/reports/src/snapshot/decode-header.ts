import type { FieldError, Snapshot } from '@plimsoll/model';
import { maxClockAheadMs, maxSchemaVersion } from '../limits.ts';
import { FieldReader } from './field-reader.ts';
import { parseSnapshot } from './parse-snapshot.ts';
import { Problems } from './problems.ts';
import type { SnapshotFields } from './snapshot-fields.ts';
import { dateOf } from './timestamp.ts';

/** A snapshot's data about itself. */
export type SnapshotHeader = Pick<Snapshot, 'schemaVersion' | 'collectedAt' | 'collectorVersion'>;

/** A header, or the error; `code` is the HTTP contract's. */
export type DecodedHeader =
  | { readonly kind: 'header'; readonly header: SnapshotHeader }
  | { readonly kind: 'invalid_protobuf'; readonly detail: string }
  | { readonly kind: 'snapshot_invalid'; readonly errors: readonly FieldError[] };

/**
 * Decodes an envelope's `header`, for an upload that is otherwise unchanged: a clock that is a day ahead is an error
 * even then. Follows the rules of `decodeSnapshot`.
 */
export function decodeHeader(bytes: Uint8Array, context: { readonly receivedAt: Date }): DecodedHeader {
  const parsed = parseSnapshot(bytes);
  if (parsed.kind === 'malformed') return { kind: 'invalid_protobuf', detail: parsed.detail };
  if (parsed.kind === 'overfull') return { kind: 'snapshot_invalid', errors: parsed.errors };
  const problems = new Problems();
  const header = readHeader(parsed.message, context.receivedAt, new FieldReader(problems));
  return problems.errors.length > 0
    ? { kind: 'snapshot_invalid', errors: problems.errors }
    : { kind: 'header', header };
}

/** Reads fields 1 to 3. Accepts a higher schema version, because the format only grows, and skips unknown content. */
export function readHeader(
  message: Pick<SnapshotFields, 'schemaVersion' | 'collectedAt' | 'collectorVersion'>,
  receivedAt: Date,
  reader: FieldReader,
): SnapshotHeader {
  reader.at('');
  if (message.schemaVersion > maxSchemaVersion) reader.error('schema_version', `is over ${maxSchemaVersion}`);
  return {
    schemaVersion: message.schemaVersion === 0 ? 1 : message.schemaVersion,
    collectedAt: readCollectedAt(message.collectedAt, receivedAt, reader),
    collectorVersion: reader.text('collector_version', message.collectorVersion),
  };
}

function readCollectedAt(
  wire: SnapshotFields['collectedAt'],
  receivedAt: Date,
  reader: FieldReader,
): Date | null {
  if (wire === undefined) return null;
  const collectedAt = dateOf(wire);
  if (collectedAt === null) {
    reader.error('collected_at', 'is no time between the years 1 and 9999');
  } else if (collectedAt.getTime() - receivedAt.getTime() > maxClockAheadMs) {
    reader.error('collected_at', "is more than 24 hours ahead of the server's clock");
  }
  return collectedAt;
}
