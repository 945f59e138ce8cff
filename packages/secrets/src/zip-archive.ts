import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';
import type { EvidenceFile } from './evidence-manifest.ts';

/** Text that is gathered before it is compressed, in characters. */
const gathered = 64 * 1024;
/** The largest number of a field with four bytes: it says that the number is in a record of ZIP64. */
const most32 = 0xffff_ffff;
const zip64Version = 45;

/** A file of an archive while it is written. Only its compressed bytes are kept, until they are taken. */
export class ZipFile {
  readonly name: string;
  readonly #deflate: DeflateRaw = createDeflateRaw({ level: 6 });
  #chunks: Buffer[] = [];
  #compressed = 0;
  readonly #hash: Hash = createHash('sha256');
  readonly #ended: Promise<unknown>;
  #text: string[] = [];
  #waiting = 0;
  #crc = 0;
  #bytes = 0;

  constructor(name: string) {
    this.name = name;
    this.#deflate.on('data', (chunk: Buffer) => {
      this.#compressed += chunk.length;
      this.#chunks.push(chunk);
    });
    this.#ended = once(this.#deflate, 'end');
  }

  /** Adds text, in UTF-8. */
  async write(text: string): Promise<void> {
    this.#text.push(text);
    this.#waiting += text.length;
    if (this.#waiting >= gathered) await this.#compress();
  }

  /** The bytes that were compressed since the last call; they are not kept any more. */
  take(): readonly Buffer[] {
    const taken = this.#chunks;
    this.#chunks = [];
    return taken;
  }

  /** To be called once, after the last text. */
  async end(): Promise<FinishedFile> {
    await this.#compress();
    this.#deflate.end();
    await this.#ended;
    const { name } = this;
    const file = { name, bytes: this.#bytes, sha256: this.#hash.digest('hex') };
    return { file, crc: this.#crc, compressed: this.#compressed, content: this.#chunks };
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
  /** The size of all compressed bytes. */
  readonly compressed: number;
  /** The compressed bytes that were not taken before. */
  readonly content: readonly Buffer[];
}

/** A whole zip archive of files in their order, in pieces. See ZipWriter. */
export function* zipArchive(files: readonly FinishedFile[], at: Date): Iterable<Uint8Array> {
  const writer = new ZipWriter(at);
  for (const file of files) yield* writer.add(file);
  yield* writer.end();
}

/**
 * Writes a zip archive (APPNOTE.TXT 6.3.4) in pieces, with ZIP64 from 4 GiB on. Throws RangeError for a file of 4 GiB.
 * One file at a time can be written while its size is not known yet: `begin`, `more` as often as there is more, `finish`.
 */
export class ZipWriter {
  readonly #at: Date;
  readonly #directory: Buffer[] = [];
  #files = 0;
  #offset = 0;
  /** Where the file that was begun last has its header. */
  #begun = 0;

  /** @param at the time of all files, in UTC. */
  constructor(at: Date) {
    this.#at = at;
  }

  *add(finished: FinishedFile): Iterable<Uint8Array> {
    const { file, crc, compressed, content } = finished;
    const common = commonHeader(file, { crc, compressed, at: this.#at, isStreamed: false });
    const first = this.#offset;
    yield this.#count(Buffer.concat([signature(0x04034b50), common, Buffer.from(file.name)]));
    for (const piece of content) yield this.#count(piece);
    this.#note(finished, common, first);
  }

  *begin(name: string): Iterable<Uint8Array> {
    this.#begun = this.#offset;
    const unknown = { crc: 0, compressed: 0, at: this.#at, isStreamed: true };
    const common = commonHeader({ name, bytes: 0 }, unknown);
    yield this.#count(Buffer.concat([signature(0x04034b50), common, Buffer.from(name)]));
  }

  *more(content: readonly Buffer[]): Iterable<Uint8Array> {
    for (const piece of content) yield this.#count(piece);
  }

  *finish(finished: FinishedFile): Iterable<Uint8Array> {
    const { file, crc, compressed, content } = finished;
    yield* this.more(content);
    const common = commonHeader(file, { crc, compressed, at: this.#at, isStreamed: true });
    // The data descriptor: the checksum and both sizes.
    const descriptor = Buffer.alloc(12);
    descriptor.writeUInt32LE(crc);
    descriptor.writeUInt32LE(compressed, 4);
    descriptor.writeUInt32LE(file.bytes, 8);
    yield this.#count(Buffer.concat([signature(0x08074b50), descriptor]));
    this.#note(finished, common, this.#begun);
  }

  /** Writes a file whose text arrives in pieces; returns what a manifest says of it. */
  async *stream(
    name: string,
    texts: Iterable<string> | AsyncIterable<string>,
  ): AsyncGenerator<Uint8Array, EvidenceFile> {
    const file = new ZipFile(name);
    yield* this.begin(name);
    for await (const text of texts) {
      await file.write(text);
      yield* this.more(file.take());
    }
    const finished = await file.end();
    yield* this.finish(finished);
    return finished.file;
  }

  *end(): Iterable<Uint8Array> {
    const all = Buffer.concat(this.#directory);
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#files, 8);
    end.writeUInt16LE(this.#files, 10);
    end.writeUInt32LE(all.length, 12);
    end.writeUInt32LE(Math.min(this.#offset, most32), 16);
    const large = this.#offset < most32 ? [] : [largeEnd(this.#files, all.length, this.#offset)];
    yield Buffer.concat([all, ...large, end]);
  }

  #count(piece: Buffer): Buffer {
    this.#offset += piece.length;
    return piece;
  }

  #note({ file, compressed }: FinishedFile, common: Buffer, offset: number): void {
    if (Math.max(file.bytes, compressed) >= most32)
      throw new RangeError('a file of the archive is larger than 4 GiB');
    this.#directory.push(centralHeader(common, file.name, offset));
    this.#files += 1;
  }
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
  /** Whether checksum and sizes follow the content instead. */
  readonly isStreamed: boolean;
}

/** The fields that local and central headers have in common, from the version needed to the length of extra fields. */
function commonHeader(
  { name, bytes }: Pick<EvidenceFile, 'name' | 'bytes'>,
  { crc, compressed, at, isStreamed }: EntryNumbers,
): Buffer {
  const header = Buffer.alloc(26);
  header.writeUInt16LE(20, 0);
  header.writeUInt16LE(isStreamed ? 0x0808 : 0x0800, 2); // The name is UTF-8.
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

function centralHeader(common: Buffer, name: string, offset: number): Buffer {
  const isFar = offset >= most32;
  const start = Buffer.alloc(6);
  start.writeUInt32LE(0x02014b50, 0);
  start.writeUInt16LE(isFar ? zip64Version : 20, 4);
  const rest = Buffer.alloc(14);
  rest.writeUInt32LE(Math.min(offset, most32), 10);
  const header = Buffer.concat([start, common, rest, Buffer.from(name)]);
  if (!isFar) return header;
  const extra = Buffer.alloc(12);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(8, 2);
  extra.writeBigUInt64LE(BigInt(offset), 4);
  header.writeUInt16LE(zip64Version, 6);
  header.writeUInt16LE(extra.length, 30);
  return Buffer.concat([header, extra]);
}

/** The end of the directory for ZIP64, and the record that says where it is. */
function largeEnd(files: number, directoryBytes: number, directoryAt: number): Buffer {
  const end = Buffer.alloc(56);
  end.writeUInt32LE(0x06064b50, 0);
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(zip64Version, 12);
  end.writeUInt16LE(zip64Version, 14);
  end.writeBigUInt64LE(BigInt(files), 24);
  end.writeBigUInt64LE(BigInt(files), 32);
  end.writeBigUInt64LE(BigInt(directoryBytes), 40);
  end.writeBigUInt64LE(BigInt(directoryAt), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(directoryAt + directoryBytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end, locator]);
}
