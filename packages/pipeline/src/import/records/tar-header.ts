/** Headers and contents of a tar archive are multiples of this (POSIX.1-2017, pax, ustar interchange format). */
export const tarBlockBytes = 512;

/** The header of an entry. `extended`: its content describes the next entry. `long_name`: as GNU tar writes it. */
export interface TarHeader {
  readonly type: 'file' | 'extended' | 'long_name' | 'other';
  readonly path: string;
  /** Bytes of its content. */
  readonly size: number;
}

const magicAt = 257;
const checksumAt = 148;

/** Whether bytes begin a tar archive. @param start at least one block. */
export function isTar(start: Buffer): boolean {
  return start.length >= tarBlockBytes && start.toString('latin1', magicAt, magicAt + 5) === 'ustar';
}

/** Reads a block as a header. `end`: the block of zeros after the last entry. */
export function readTarHeader(block: Buffer): TarHeader | 'end' | 'damaged' {
  if (block.every((byte) => byte === 0)) return 'end';
  const size = numberIn(block, 124, 12);
  if (size === null || checksumOf(block) !== numberIn(block, checksumAt, 8)) return 'damaged';
  const prefix = textIn(block, 345, 155);
  const name = textIn(block, 0, 100);
  // GNU tar has times where ustar has a prefix.
  const isUstar = block.toString('latin1', magicAt, magicAt + 6) === 'ustar\0';
  return { type: typeOf(block[156] ?? 0), path: isUstar && prefix !== '' ? `${prefix}/${name}` : name, size };
}

function typeOf(flag: number): TarHeader['type'] {
  switch (String.fromCharCode(flag)) {
    case '0':
    case '\0':
      return 'file';
    case 'x':
      return 'extended';
    case 'L':
      return 'long_name';
    default:
      return 'other';
  }
}

const record = /^(\d{1,6}) (path|size)=([^\n]*)\n$/;

/** The path and size in an extended header: lines of `LENGTH KEY=VALUE`. Skips malformed lines. */
export function nameAndSize(content: string): { readonly path?: string; readonly size?: number } {
  const bytes = Buffer.from(content, 'utf8');
  let found: { path?: string; size?: number } = {};
  for (let at = 0; at < bytes.length; ) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 6), 10);
    if (!(length > 0)) break;
    const [, , key, value = ''] = record.exec(bytes.toString('utf8', at, at + length)) ?? [];
    if (key === 'path') found = { ...found, path: value };
    if (key === 'size' && /^\d{1,15}$/.test(value)) found = { ...found, size: Number(value) };
    at += length;
  }
  return found;
}

/** An octal number, or a binary one of at most 48 bits as GNU tar writes large sizes; null if it is neither. */
function numberIn(block: Buffer, at: number, length: number): number | null {
  const first = block[at] ?? 0;
  if ((first & 0x80) !== 0) {
    const high = block.subarray(at + 1, at + length - 6);
    return first === 0x80 && high.every((byte) => byte === 0) ? block.readUIntBE(at + length - 6, 6) : null;
  }
  const text = textIn(block, at, length).trim();
  return /^[0-7]{1,12}$/.test(text) ? Number.parseInt(text, 8) : null;
}

function textIn(block: Buffer, at: number, length: number): string {
  return block.toString('utf8', at, at + length).split('\0', 1)[0] ?? '';
}

/** The sum of all bytes, with the checksum's own as spaces. */
function checksumOf(block: Buffer): number {
  let sum = 0;
  for (let at = 0; at < tarBlockBytes; at++) {
    const isOwn = at >= checksumAt && at < checksumAt + 8;
    sum += isOwn ? 0x20 : (block[at] ?? 0);
  }
  return sum;
}
