import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { SnapshotSchema } from '@plimsoll/proto';
import { type WireCursor, wireTypes } from './wire-cursor.ts';

/** The wire format of a message. */
export interface MessageLayout {
  /** The .proto's name. */
  readonly name: string;
  /** By field number; unused numbers are holes. */
  readonly fields: readonly (FieldLayout | undefined)[];
}

/** The wire format of one field. */
export interface FieldLayout {
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
