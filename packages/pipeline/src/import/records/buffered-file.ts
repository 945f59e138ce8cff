import type { FileHandle } from 'node:fs/promises';
import yauzl from 'yauzl';

const windowBytes = 1024 * 1024;
/**
 * One window for the list of an archive's entries and one for the entries; yauzl reads both from start to
 * end, alternately.
 */
const keptWindows = 2;

interface Window {
  readonly start: number;
  /** Its memory is used again for the next window. */
  readonly memory: Buffer;
  readonly length: number;
}

/** A buffered file for yauzl, which reads a few bytes at a time. Holds at most two windows in memory. */
export class BufferedFile extends yauzl.RandomAccessReader {
  private readonly file: FileHandle;
  /** The most recently used window is the last. */
  private windows: Window[] = [];

  /** @param file stays open; the caller closes it. */
  constructor(file: FileHandle) {
    super();
    this.file = file;
  }

  /** For yauzl. A short read is an error. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.bytesAt(position, length).then(
      (bytes) => {
        bytes.copy(buffer, offset);
        callback(null);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  /** Bytes of the file, valid until the next call. Rejects if the file ends before them. */
  async bytesAt(position: number, length: number): Promise<Buffer> {
    const found = this.windows.find(
      (window) => window.start <= position && position + length <= window.start + window.length,
    );
    const window = found ?? (await this.load(position, length));
    this.windows = [...this.windows.filter((kept) => kept !== window), window];
    return window.memory.subarray(position - window.start, position - window.start + length);
  }

  override close(callback: (error: Error | null) => void): void {
    callback(null);
  }

  private async load(position: number, length: number): Promise<Window> {
    const wanted = Math.max(length, windowBytes);
    const given = this.windows.length < keptWindows ? undefined : this.windows.shift();
    // New memory for each window of a large file would mostly wait for garbage collection.
    const memory =
      given !== undefined && given.memory.length === wanted ? given.memory : Buffer.allocUnsafe(wanted);
    const { bytesRead } = await this.file.read(memory, 0, memory.length, position);
    if (bytesRead < length) throw new Error('the file is cut off');
    return { start: position, memory, length: bytesRead };
  }
}
