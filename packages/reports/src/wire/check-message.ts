import { isUtf8 } from 'node:buffer';
import type { FieldLayout, MessageLayout } from './message-layout.ts';
import { WireCursor } from './wire-cursor.ts';

/**
 * Whether bytes are a message of a layout; `counts` has the number of entries of each present repeated field, by path.
 */
export type CheckedMessage =
  | { readonly kind: 'well_formed'; readonly counts: ReadonlyMap<string, number> }
  | { readonly kind: 'malformed'; readonly detail: string };

/**
 * Checks in one linear pass that every known field of a message, at any depth, has its wire type and ends inside its
 * parent. The library's decoder checks neither: a value that exceeds its message consumes the following bytes, and a
 * wrong wire type is read as the right one. Unknown fields are skipped, because a newer sender may send more. The
 * decoder checks UTF-8.
 */
export function checkMessage(bytes: Uint8Array, layout: MessageLayout): CheckedMessage {
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
export function findInvalidText(bytes: Uint8Array, layout: MessageLayout): string | null {
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

/** One sentence on a known field with a wrong wire type. */
export function wrongWireType(layout: MessageLayout, field: FieldLayout, cursor: WireCursor): string {
  return `${layout.name}.${field.name}: wire type ${cursor.wireType} instead of ${field.wireType}, in the field at byte ${cursor.fieldStart}`;
}
