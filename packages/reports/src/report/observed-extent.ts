import { Buffer } from 'node:buffer';

/**
 * Where a report's `observed` section ends: the offset behind its `@exit` line. Null where the report does not begin
 * with its first line and a whole `observed` section. Reads no byte behind that section.
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

/** Where a report's first line ends, behind its line end. */
export function firstLineEnd(report: Uint8Array): number {
  const lines = new ByteLines(report);
  lines.next();
  return lines.position;
}

/** As much of a line as tells what it is. */
const headLength = 16;

/** The beginnings of the lines of a text, without decoding what follows. */
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
