/** The wire types of protobuf that proto3 can produce; groups (3 and 4) are refused. */
export const wireTypes = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const;

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
