import type { FieldError, Snapshot } from '@plimsoll/model';
import { packageCountFault } from '../envelope/package-count.ts';
import { parseSnapshot } from './parse-snapshot.ts';
import { Problems } from './problems.ts';
import { readSnapshot } from './read-snapshot.ts';
import type { SnapshotFields } from './snapshot-fields.ts';

/** A snapshot with what was set right in it, or why there is none; the kinds of refusal are the HTTP contract's codes. */
export type DecodedSnapshot =
  | { readonly kind: 'snapshot'; readonly snapshot: Snapshot; readonly warnings: readonly FieldError[] }
  | { readonly kind: 'invalid_protobuf'; readonly detail: string }
  | { readonly kind: 'snapshot_invalid'; readonly errors: readonly FieldError[] };

/**
 * Decodes and checks an encoded structured snapshot. Takes any bytes and never throws on them.
 *
 * `invalid_protobuf`: not a message of the format, or one that holds another number of packages than it declares.
 * `snapshot_invalid`: no package, no os, a text report (alone or beside the fields it replaces), a collection time
 * over 24 hours after `receivedAt`, names and versions that cannot be taken to the letter, lists over their limits;
 * every error found is listed, `maxProblems` at most, with pointers that use the .proto's names and the sender's
 * positions. Everything else that is wrong is set right and listed as a warning.
 *
 * Lists are sorted and free of repetition, so that equal hosts give equal snapshots.
 */
export function decodeSnapshot(bytes: Uint8Array, context: { readonly receivedAt: Date }): DecodedSnapshot {
  const parsed = parseSnapshot(bytes);
  if (parsed.kind === 'malformed') return { kind: 'invalid_protobuf', detail: parsed.detail };
  if (parsed.kind === 'overfull') return { kind: 'snapshot_invalid', errors: parsed.errors };
  const { message } = parsed;
  const cut = packageCountFault(message.packageCount, message.packages.length);
  if (cut !== null) return { kind: 'invalid_protobuf', detail: cut };
  if (message.report.length > 0) {
    return { kind: 'snapshot_invalid', errors: [{ pointer: '/report', detail: reportFault(message) }] };
  }
  const problems = new Problems();
  const snapshot = readSnapshot(message, context.receivedAt, problems);
  return problems.errors.length > 0
    ? { kind: 'snapshot_invalid', errors: problems.errors }
    : { kind: 'snapshot', snapshot, warnings: problems.warnings };
}

function reportFault(message: SnapshotFields): string {
  return message.packages.length > 0 || message.platform !== undefined
    ? 'came together with the structured fields it replaces'
    : 'text reports are not accepted; send the structured fields';
}
