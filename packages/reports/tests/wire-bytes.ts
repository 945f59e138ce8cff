/** One varint, in the fewest bytes. */
export function varint(value: number | bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.of(...bytes, Number(rest));
}

/** One tag. */
export function tag(fieldNumber: number, wireType: number): Uint8Array {
  return varint((BigInt(fieldNumber) << 3n) | BigInt(wireType));
}

/** One length-delimited field: a submessage, bytes, or text. */
export function delimited(fieldNumber: number, value: Uint8Array | string): Uint8Array {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
  return concat(tag(fieldNumber, 2), varint(bytes.length), bytes);
}

/** One varint field. */
export function number(fieldNumber: number, value: number | bigint): Uint8Array {
  return concat(tag(fieldNumber, 0), varint(value));
}

/** The parts, concatenated. */
export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/** A message of fields, as a field of its parent. */
export function message(fieldNumber: number, ...fields: readonly Uint8Array[]): Uint8Array {
  return delimited(fieldNumber, concat(...fields));
}

/** Field 5: an installed package with optional further fields. */
export function packageField(name: string, version: string, ...more: readonly Uint8Array[]): Uint8Array {
  return message(5, delimited(1, name), delimited(2, 'amd64'), delimited(3, version), ...more);
}

/** Field 4: a Debian 12. */
export const debianPlatform = message(4, delimited(1, 'apt'), delimited(2, 'debian'), delimited(3, '12'));
