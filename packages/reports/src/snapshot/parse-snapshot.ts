import { fromBinary } from '@bufbuild/protobuf';
import type { FieldError } from '@plimsoll/model';
import { SnapshotSchema, type Snapshot as WireSnapshot } from '@plimsoll/proto';
import { listLimits } from '../limits.ts';
import { checkMessage, findInvalidText } from '../wire/check-message.ts';
import { snapshotLayout } from '../wire/message-layout.ts';

/**
 * Bytes as the generated message. Without a message if lists exceed their limits, because the limits exist to prevent
 * decoding them.
 */
export type ParsedSnapshot =
  | { readonly kind: 'parsed'; readonly message: WireSnapshot }
  | { readonly kind: 'overfull'; readonly errors: readonly FieldError[] }
  | { readonly kind: 'malformed'; readonly detail: string };

/**
 * Parses bytes as an encoded snapshot, strictly: wrong nesting, wrong wire types, groups and invalid UTF-8 are
 * malformed.
 */
export function parseSnapshot(bytes: Uint8Array): ParsedSnapshot {
  const checked = checkMessage(bytes, snapshotLayout);
  if (checked.kind === 'malformed') return checked;
  const errors = overfullLists(checked.counts);
  if (errors.length > 0) return { kind: 'overfull', errors };
  try {
    return { kind: 'parsed', message: fromBinary(SnapshotSchema, bytes, { readUnknownFields: false }) };
  } catch (error) {
    const invalidText = findInvalidText(bytes, snapshotLayout);
    // After the check above the decoder has no other error.
    if (invalidText === null) throw error;
    return { kind: 'malformed', detail: `${invalidText} is not UTF-8` };
  }
}

/** One error for each repeated field with more entries than `listLimits` allows; `counts` is by field path. */
export function overfullLists(counts: ReadonlyMap<string, number>): readonly FieldError[] {
  return Object.entries(listLimits).flatMap(([pointer, limit]) => {
    const count = counts.get(pointer) ?? 0;
    return count > limit ? [{ pointer, detail: `holds ${count} entries; at most ${limit} are taken` }] : [];
  });
}
