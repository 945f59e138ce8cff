import { isUtf8 } from 'node:buffer';
import type { FieldLayout, MessageLayout } from './message-layout.ts';
import { WireCursor } from './wire-cursor.ts';

/** Whether bytes are a message of a layout; `counts` has the entries of each repeated field that came, by its path. */
export type CheckedMessage =
  | { readonly kind: 'well_formed'; readonly counts: ReadonlyMap<string, number> }
  | { readonly kind: 'malformed'; readonly detail: string };

/**
 * Checks that every known field of a message, at any depth, has its wire type and ends inside its parent, in one
 * linear pass. The library's decoder takes both on trust: a value that runs past its message swallows what follows,
 * and a wrong wire type is read as the right one. Unknown fields are stepped over, for a newer sender may say more.
 * Whether text is UTF-8 is left to the decoder.
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

/** The first text field that is not UTF-8, as `Message.field at byte 12`; null if there is none. Takes well-formed bytes. */
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

/** Walks to byte `end`; recursion is as deep as the layout, whatever the bytes say. Returns the fault found, or null. */
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

/** One sentence on a known field that came with another wire type than the format gives it. */
export function wrongWireType(layout: MessageLayout, field: FieldLayout, cursor: WireCursor): string {
  return `${layout.name}.${field.name}: wire type ${cursor.wireType} instead of ${field.wireType}, in the field at byte ${cursor.fieldStart}`;
}
