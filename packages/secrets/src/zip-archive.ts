import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';
import type { EvidenceFile } from './evidence-manifest.ts';

/** Text that is gathered before it is compressed, in characters. */
const gathered = 64 * 1024;
/** The largest archive without the extensions of ZIP64. */
const largestArchive = 0xffff_ffff;

/** A file of an archive while it is written. Only its compressed bytes are kept. */
export class ZipFile {
  readonly name: string;
  readonly #deflate: DeflateRaw = createDeflateRaw({ level: 6 });
  readonly #chunks: Buffer[] = [];
  readonly #hash: Hash = createHash('sha256');
  readonly #ended: Promise<unknown>;
  #text: string[] = [];
  #waiting = 0;
  #crc = 0;
  #bytes = 0;

  constructor(name: string) {
    this.name = name;
    this.#deflate.on('data', (chunk: Buffer) => this.#chunks.push(chunk));
    this.#ended = once(this.#deflate, 'end');
  }

  /** Adds text, in UTF-8. */
  async write(text: string): Promise<void> {
    this.#text.push(text);
    this.#waiting += text.length;
    if (this.#waiting >= gathered) await this.#compress();
  }

  /** To be called once, after the last text. */
  async end(): Promise<FinishedFile> {
    await this.#compress();
    this.#deflate.end();
    await this.#ended;
    const { name } = this;
    const file = { name, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
    return { file, crc: this.#crc, content: this.#chunks };
  }

  async #compress(): Promise<void> {
    const bytes = Buffer.from(this.#text.join(''));
    this.#text = [];
    this.#waiting = 0;
    this.#hash.update(bytes);
    this.#crc = crc32(bytes, this.#crc);
    this.#bytes += bytes.length;
    if (!this.#deflate.write(bytes)) await once(this.#deflate, 'drain');
  }
}

/** A whole file, compressed by deflate. */
export interface FinishedFile {
  readonly file: EvidenceFile;
  readonly crc: number;
  readonly content: readonly Buffer[];
}

/**
 * A zip archive (APPNOTE.TXT 6.3.4, without ZIP64) of files in their order, in pieces. Throws RangeError for an archive of
 * more than 4 GiB.
 * @param at the time of all files, in UTC.
 */
export function* zipArchive(files: readonly FinishedFile[], at: Date): Iterable<Uint8Array> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { file, crc, content } of files) {
    const compressed = content.reduce((sum, { length }) => sum + length, 0);
    const common = commonHeader(file, { crc, compressed, at });
    const name = Buffer.from(file.name);
    directory.push(centralHeader(common, offset), name);
    yield Buffer.concat([signature(0x04034b50), common, name]);
    yield* content;
    offset += 4 + common.length + name.length + compressed;
    if (offset > largestArchive || file.bytes > largestArchive)
      throw new RangeError('the archive is larger than 4 GiB');
  }
  const all = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(all.length, 12);
  end.writeUInt32LE(offset, 16);
  yield Buffer.concat([all, end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

interface EntryNumbers {
  readonly crc: number;
  readonly compressed: number;
  readonly at: Date;
}

/** The fields that local and central headers have in common, from the version needed to the length of extra fields. */
function commonHeader({ name, bytes }: EvidenceFile, { crc, compressed, at }: EntryNumbers): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt16LE(0x0800, 2); // The name is UTF-8.
  header.writeUInt16LE(8, 4);
  header.writeUInt16LE((at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1), 6);
  header.writeUInt16LE(
    ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    8,
  );
  header.writeUInt32LE(crc, 10);
  header.writeUInt32LE(compressed, 14);
  header.writeUInt32LE(bytes, 18);
  header.writeUInt16LE(Buffer.byteLength(name), 22);
  return header;
}

function centralHeader(common: Buffer, offset: number): Buffer {
  const start = Buffer.alloc(6);
  start.writeUInt32LE(0x02014b50, 0);
  start.writeUInt16LE(20, 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(offset, 10);
  return Buffer.concat([start, common, rest]);
}
