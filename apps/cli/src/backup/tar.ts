import { StartError } from '../service/start-error.ts';

/** A file of an archive. */
export interface TarEntry {
  readonly name: string;
  readonly bytes: Buffer;
}

const blockBytes = 512;
/** What `readTar` holds in memory at most: writers make pieces of half this size. */
export const longestEntryBytes = 8 * 2 ** 20;

/** A file in ustar format (POSIX.1-1988), readable for its owner only. The name has at most 100 ASCII characters. */
export function tarEntry({ name, bytes }: TarEntry, time: Date): Buffer {
  const header = Buffer.alloc(blockBytes);
  const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;
  header.write(name, 0, 100, 'latin1');
  header.write(octal(0o600, 7) + octal(0, 7) + octal(0, 7), 100);
  header.write(octal(bytes.length, 11) + octal(Math.floor(time.getTime() / 1000), 11), 124);
  header.write('        0', 148); // The checksum counts as blanks; then the type: a file.
  header.write('ustar\x0000', 257);
  header.write(`${octal(sumOf(header), 6)} `, 148);
  return Buffer.concat([header, bytes, Buffer.alloc(-bytes.length & (blockBytes - 1))]);
}

/** What follows the last file. */
export const tarEnd = Buffer.alloc(2 * blockBytes);

function sumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}

/**
 * The files of an archive as `tarEntry` writes them, each read whole. Throws StartError for anything else: an archive cut
 * short, of another program, or with a file beyond `longestEntryBytes`.
 */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry, void> {
  const chunks = source[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);
  const take = async (length: number): Promise<Buffer> => {
    const parts: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      if (held.length === 0) {
        const { done, value } = await chunks.next();
        if (done === true) throw new StartError('The backup is cut short: its end is missing.');
        held = value;
      }
      const part = held.subarray(0, missing);
      parts.push(part);
      held = held.subarray(part.length);
      missing -= part.length;
    }
    return Buffer.concat(parts, length);
  };
  try {
    for (;;) {
      const header = await take(blockBytes);
      if (header.every((byte) => byte === 0)) return;
      const { name, size } = readHeader(header);
      const bytes = await take(size);
      const padding = await take(-size & (blockBytes - 1));
      if (padding.some((byte) => byte !== 0))
        throw new StartError('The backup is damaged between its files.');
      yield { name, bytes };
    }
  } finally {
    await chunks.return?.();
  }
}

function readHeader(header: Buffer): { name: string; size: number } {
  const text = (from: number, to: number): string =>
    header.toString('latin1', from, to).replace(/\0.*$/s, '');
  const sum = parseInt(text(148, 156), 8);
  const size = parseInt(text(124, 136), 8);
  const isOurs = text(257, 263) === 'ustar' && header.toString('latin1', 156, 157) === '0';
  header.fill(' ', 148, 156);
  if (!isOurs || sum !== sumOf(header) || !(size >= 0 && size <= longestEntryBytes))
    throw new StartError('This is not a backup of "plimsoll backup", or it is damaged.');
  return { name: text(0, 100), size };
}
