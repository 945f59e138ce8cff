import { isUtf8 } from 'node:buffer';
import { fromBinary } from '@bufbuild/protobuf';
import type { FieldError } from '@plimsoll/model';
import { SnapshotSchema, type Snapshot as WireSnapshot } from '@plimsoll/proto';
import { listLimits } from '../limits.ts';
import { type MessageLayout, snapshotLayout, wrongWireType } from '../wire/message-layout.ts';
import { WireCursor } from '../wire/wire-cursor.ts';

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

/**
 * Whether bytes are a message of a layout; `counts` has the number of entries of each present repeated field, by path.
 */
type CheckedMessage =
  | { readonly kind: 'well_formed'; readonly counts: ReadonlyMap<string, number> }
  | { readonly kind: 'malformed'; readonly detail: string };

/**
 * Checks in one linear pass that every known field of a message, at any depth, has its wire type and ends inside its
 * parent. The library's decoder checks neither: a value that exceeds its message consumes the following bytes, and a
 * wrong wire type is read as the right one. Unknown fields are skipped, because a newer sender may send more. The
 * decoder checks UTF-8.
 */
function checkMessage(bytes: Uint8Array, layout: MessageLayout): CheckedMessage {
  const walk: Walk = {
    cursor: new WireCursor(bytes),
    counts: new Map(),
    invalidText: null,
    checkText: false,
  };
  const detail = walkMessage(walk, layout, bytes.length);
  return detail === null ? { kind: 'well_formed', counts: walk.counts } : { kind: 'malformed', detail };
}

/**
 * The first text field with invalid UTF-8, as `Message.field at byte 12`; null if there is none. Requires well-formed
 * bytes.
 */
function findInvalidText(bytes: Uint8Array, layout: MessageLayout): string | null {
  const walk: Walk = { cursor: new WireCursor(bytes), counts: new Map(), invalidText: null, checkText: true };
  walkMessage(walk, layout, bytes.length);
  return walk.invalidText;
}

interface Walk {
  readonly cursor: WireCursor;
  readonly counts: Map<string, number>;
  readonly checkText: boolean;
  invalidText: string | null;
}

/** Checks up to byte `end`; recursion is at most as deep as the layout. Returns the fault, or null. */
function walkMessage(walk: Walk, layout: MessageLayout, end: number): string | null {
  const { cursor } = walk;
  while (cursor.position < end) {
    if (!cursor.readField(end)) return `${layout.name}: ${cursor.fault}`;
    const field = layout.fields[cursor.fieldNumber];
    if (field === undefined) continue;
    if (cursor.wireType !== field.wireType) return wrongWireType(layout, field, cursor);
    if (field.repeated) walk.counts.set(field.path, (walk.counts.get(field.path) ?? 0) + 1);
    if (field.message !== null) {
      const valueEnd = cursor.position;
      cursor.position = cursor.valueStart;
      const detail = walkMessage(walk, field.message, valueEnd);
      if (detail !== null) return detail;
    } else if (walk.checkText && field.text && walk.invalidText === null) {
      if (!isUtf8(cursor.bytes.subarray(cursor.valueStart, cursor.position))) {
        walk.invalidText = `${layout.name}.${field.name} at byte ${cursor.fieldStart}`;
      }
    }
  }
  return null;
}
