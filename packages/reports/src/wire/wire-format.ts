import { isUtf8 } from 'node:buffer';
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { SnapshotSchema } from '@plimsoll/proto';

/** The wire types of protobuf that proto3 can produce; groups (3 and 4) are refused. */
const wireTypes = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;

/**
 * Steps over encoded protobuf fields without decoding them: linear, never past `end`, no allocation per field. After
 * `readField` returns true, the public members describe that field and `position` is after it; after false, `fault`
 * describes the fault. See protobuf.dev/programming-guides/encoding.
 */
export class WireCursor {
  readonly bytes: Uint8Array;
  /** The start of the next field; set it to step into a value. */
  position = 0;
  /** The start of the last field's tag. */
  fieldStart = 0;
  /** The start of the last field's value; for a delimited one, after its length. */
  valueStart = 0;
  fieldNumber = 0;
  wireType = 0;
  /** The low 32 bits of the last field's value, if it is a varint. */
  varint = 0;
  /** The fault that stopped the walk, with its byte offset. */
  fault: string | null = null;
  /** Whether the last varint has bits above the 32nd. */
  private exceeds32Bits = false;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Reads one field of a message that ends before byte `end`; false is a fault. Only valid before `end`. */
  readField(end: number): boolean {
    this.fieldStart = this.position;
    if (!this.readVarint(end)) return false;
    if (this.exceeds32Bits || this.position - this.fieldStart > 5)
      return this.fail('a tag of more than 32 bits');
    this.fieldNumber = this.varint >>> 3;
    this.wireType = this.varint & 7;
    if (this.fieldNumber === 0) return this.fail('field number 0');
    this.valueStart = this.position;
    switch (this.wireType) {
      case wireTypes.varint:
        return this.readVarint(end);
      case wireTypes.delimited:
        if (!this.readVarint(end)) return false;
        this.valueStart = this.position;
        return this.skip(this.exceeds32Bits ? Number.POSITIVE_INFINITY : this.varint, end);
      case wireTypes.fixed64:
        return this.skip(8, end);
      case wireTypes.fixed32:
        return this.skip(4, end);
      default:
        return this.fail(`wire type ${this.wireType}`);
    }
  }

  private skip(length: number, end: number): boolean {
    if (length > end - this.position) return this.fail('a value that runs past the end of its message');
    this.position += length;
    return true;
  }

  private readVarint(end: number): boolean {
    this.exceeds32Bits = false;
    const first = this.position < end ? this.bytes[this.position] : undefined;
    if (first !== undefined && first < 0x80) {
      this.position++;
      this.varint = first;
      return true;
    }
    return this.readLongVarint(end);
  }

  private readLongVarint(end: number): boolean {
    let low = 0;
    for (let index = 0; index < 10; index++) {
      const byte = this.position < end ? this.bytes[this.position] : undefined;
      if (byte === undefined) return this.fail('a message that ends inside a varint');
      this.position++;
      if (index < 4) low |= (byte & 0x7f) << (7 * index);
      else if (index === 4) low |= (byte & 0x0f) << 28;
      if (index > 3 && (byte & (index === 4 ? 0x70 : 0x7f)) !== 0) this.exceeds32Bits = true;
      if (byte < 0x80) {
        this.varint = low >>> 0;
        return index < 9 || byte < 2 || this.fail('a varint of more than 64 bits');
      }
    }
    return this.fail('a varint of more than 10 bytes');
  }

  private fail(what: string): false {
    this.fault = `${what}, in the field at byte ${this.fieldStart}`;
    return false;
  }
}

/** The wire format of a message. */
export interface MessageLayout {
  /** The .proto's name. */
  readonly name: string;
  /** By field number; unused numbers are holes. */
  readonly fields: readonly (FieldLayout | undefined)[];
}

/** The wire format of one field. */
interface FieldLayout {
  /** The .proto's name. */
  readonly name: string;
  /** Slash-separated names from the root message: `/upgradable/advisory_ids`. */
  readonly path: string;
  readonly wireType: number;
  readonly repeated: boolean;
  /** Whether its value must be UTF-8. */
  readonly text: boolean;
  /** The layout of its value, if it is a message. */
  readonly message: MessageLayout | null;
}

/**
 * Derives a message's layout from its generated schema, which must not be recursive.
 * @throws TypeError for kinds of fields that this format does not have (maps, packed lists, fixed-width numbers).
 */
function layoutOf(schema: DescMessage, path = ''): MessageLayout {
  const fields: (FieldLayout | undefined)[] = [];
  for (const field of schema.fields) fields[field.number] = fieldLayout(field, `${path}/${field.name}`);
  return { name: schema.name, fields };
}

function fieldLayout(field: DescField, path: string): FieldLayout {
  const repeated = field.fieldKind === 'list';
  const wireType = wireTypeOf(field);
  const message = field.message === undefined ? null : layoutOf(field.message, path);
  const text = field.scalar === ScalarType.STRING;
  return { name: field.name, path, wireType, repeated, text, message };
}

function wireTypeOf(field: DescField): number {
  const listed = field.fieldKind === 'list' ? field.listKind : null;
  if (field.message !== undefined && field.fieldKind !== 'map') return wireTypes.delimited;
  switch (field.scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return wireTypes.delimited;
    case ScalarType.BOOL:
    case ScalarType.INT32:
    case ScalarType.INT64:
    case ScalarType.UINT32:
    case ScalarType.UINT64:
      if (listed === null) return wireTypes.varint;
      break;
    case undefined:
      if (field.fieldKind === 'enum') return wireTypes.varint;
      break;
    default:
      break;
  }
  throw new TypeError(`no layout for ${field.toString()}`);
}

/** One sentence on a known field with a wrong wire type. */
export function wrongWireType(layout: MessageLayout, field: FieldLayout, cursor: WireCursor): string {
  return `${layout.name}.${field.name}: wire type ${cursor.wireType} instead of ${field.wireType}, in the field at byte ${cursor.fieldStart}`;
}

/** The layout of a whole snapshot. */
export const snapshotLayout = layoutOf(SnapshotSchema);

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
 * decoder checks UTF-8. `visit` gets each known field of the message itself.
 */
export function checkMessage(bytes: Uint8Array, layout: MessageLayout, visit?: FieldVisitor): CheckedMessage {
  const walk: Walk = {
    cursor: new WireCursor(bytes),
    counts: new Map(),
    invalidText: null,
    checkText: false,
    visit: visit ?? null,
  };
  const detail = walkMessage(walk, layout, bytes.length);
  return detail === null ? { kind: 'well_formed', counts: walk.counts } : { kind: 'malformed', detail };
}

/**
 * The first text field with invalid UTF-8, as `Message.field at byte 12`; null if there is none. Requires well-formed
 * bytes.
 */
export function findInvalidText(bytes: Uint8Array, layout: MessageLayout): string | null {
  const walk: Walk = {
    cursor: new WireCursor(bytes),
    counts: new Map(),
    invalidText: null,
    checkText: true,
    visit: null,
  };
  walkMessage(walk, layout, bytes.length);
  return walk.invalidText;
}

/**
 * Gets a field with the right wire type, before its value is checked; must not move the cursor. True: the value is
 * known to be well-formed and to have no repeated fields, and is not checked again.
 */
type FieldVisitor = (field: WireCursor) => boolean;

interface Walk {
  readonly cursor: WireCursor;
  /** Null inside the fields of the message. */
  visit: FieldVisitor | null;
  readonly counts: Map<string, number>;
  readonly checkText: boolean;
  invalidText: string | null;
}

/** Checks up to byte `end`; recursion is at most as deep as the layout. Returns the fault, or null. */
function walkMessage(walk: Walk, layout: MessageLayout, end: number): string | null {
  const { cursor, visit } = walk;
  walk.visit = null;
  while (cursor.position < end) {
    if (!cursor.readField(end)) return `${layout.name}: ${cursor.fault}`;
    const field = layout.fields[cursor.fieldNumber];
    if (field === undefined) continue;
    if (cursor.wireType !== field.wireType) return wrongWireType(layout, field, cursor);
    if (field.repeated) walk.counts.set(field.path, (walk.counts.get(field.path) ?? 0) + 1);
    if (visit?.(cursor) === true) continue;
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
