import { Buffer } from 'node:buffer';

/**
 * The end offset of a report's `observed` section, after its `@exit` line. Null if the report does not begin with its
 * first line and a complete `observed` section. Reads no byte after that section.
 */
export function observedEnd(report: Uint8Array): number | null {
  const lines = new ByteLines(report);
  if (!lines.next().startsWith('plimsoll-report ') || lines.next() !== '@observed') return null;
  while (!lines.isAtEnd()) {
    const line = lines.next();
    if (line.startsWith('@exit ')) return lines.position;
    if (line !== '' && !line.startsWith(' ') && !line.startsWith('!')) return null;
  }
  return null;
}

/** The offset after a report's first line, including its line end. */
export function firstLineEnd(report: Uint8Array): number {
  const lines = new ByteLines(report);
  lines.next();
  return lines.position;
}

/** The number of bytes that identify a line. */
const headLength = 16;

/** The first bytes of each line of a text, without decoding the rest. */
class ByteLines {
  position: number;
  private readonly bytes: Buffer;

  constructor(report: Uint8Array) {
    this.bytes = Buffer.from(report.buffer, report.byteOffset, report.byteLength);
    this.position = this.bytes.subarray(0, 3).toString('utf8') === '\ufeff' ? 3 : 0;
  }

  isAtEnd(): boolean {
    return this.position >= this.bytes.length;
  }

  /** The first bytes of the next line, without its end. */
  next(): string {
    const start = this.position;
    const end = this.bytes.indexOf(0x0a, start);
    const stop = end < 0 ? this.bytes.length : end;
    this.position = end < 0 ? stop : stop + 1;
    const isCr = stop > start && this.bytes[stop - 1] === 0x0d;
    return this.bytes.toString('latin1', start, Math.min(isCr ? stop - 1 : stop, start + headLength));
  }
}
