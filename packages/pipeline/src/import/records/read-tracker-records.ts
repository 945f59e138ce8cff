import { type RawRecord, recordLimits, tooLong, toRawRecord } from './feed-record.ts';
import { ImportError } from './import-error.ts';

/** `{ "bash": { "CVE-2014-6271": {`: the start of the JSON of Debian's security tracker. */
const start =
  /^\{\s{0,50}"[^"\\]{1,200}"\s{0,50}:\s{0,50}\{\s{0,50}"(?:CVE|TEMP)-[0-9A-F-]{1,30}"\s{0,50}:\s{0,50}\{/;

/** The bytes that show whether a text is the tracker's JSON. */
export const trackerStartBytes = 512;

/** Whether a text with this start is the JSON of Debian's security tracker. */
export function isTrackerStart(bytes: Buffer): boolean {
  return start.test(bytes.subarray(0, trackerStartBytes).toString('latin1'));
}

/**
 * The vulnerabilities in the JSON of Debian's security tracker, one record `{ package, id, issue }` for each
 * source package and id, as the text streams. Holds one vulnerability in memory. Throws ImportError for a
 * truncated text.
 */
export async function* readTrackerRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  const splitter = new TrackerSplitter();
  for await (const chunk of chunks) yield* splitter.push(chunk);
  splitter.end();
}

const maxNameBytes = 300;
const quote = 0x22;
const backslash = 0x5c;
/** The depth inside a vulnerability. */
const inIssue = 3;

class TrackerSplitter {
  private records: RawRecord[] = [];
  private depth = 0;
  private inString = false;
  private escaped = false;
  private over = false;
  /** The last string outside a vulnerability. */
  private text: number[] = [];
  /** The names at depth 1, packages, and 2, ids. */
  private readonly names: string[] = [];
  /** Whether the value of the last name is still to begin. */
  private isAwaited = false;
  private parts: Buffer[] = [];
  private length = 0;

  push(chunk: Buffer): readonly RawRecord[] {
    this.records = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number; // Within its length.
      if (this.inString) this.readString(byte);
      else if (byte === quote) this.beginString();
      else if (byte === 0x5b || byte === 0x7b) {
        if (this.over) throw notJson('There is text after the end of the JSON value.');
        this.depth++;
        this.isAwaited = false;
        if (this.depth === inIssue) from = at;
      } else if (byte === 0x5d || byte === 0x7d) {
        if (this.depth === inIssue) {
          this.keep(chunk.subarray(from, at + 1));
          this.endIssue();
        }
        this.close();
      } else if (byte === 0x3a && this.depth < inIssue) this.beginValue();
      else if (byte === 0x2c && this.depth < inIssue) this.endScalar();
    }
    if (this.depth >= inIssue) this.keep(chunk.subarray(from));
    return this.records;
  }

  end(): void {
    if (!this.over) throw notJson('The JSON is cut off.');
  }

  private beginString(): void {
    this.inString = true;
    if (this.depth < inIssue) this.text = [];
  }

  private readString(byte: number): void {
    if (this.escaped) this.escaped = false;
    else if (byte === backslash) this.escaped = true;
    else if (byte === quote) this.inString = false;
    if (this.inString && this.depth < inIssue && this.text.length < maxNameBytes) this.text.push(byte);
  }

  private beginValue(): void {
    this.names[this.depth] = Buffer.from(this.text).toString('utf8');
    this.isAwaited = true;
  }

  /** A value that is neither an object nor a list is not a vulnerability. */
  private endScalar(): void {
    if (this.isAwaited)
      this.records.push({ kind: 'broken', place: this.place(), detail: 'is not an object' });
    this.isAwaited = false;
  }

  private close(): void {
    if (this.depth < inIssue) this.endScalar();
    this.depth--;
    if (this.depth < 0) throw notJson('The JSON is damaged.');
    this.over = this.depth === 0;
  }

  private keep(piece: Buffer): void {
    this.length += piece.length;
    if (this.length > recordLimits.recordBytes) this.parts = [];
    else this.parts.push(piece);
  }

  private endIssue(): void {
    const place = this.place();
    const isTooLong = this.length > recordLimits.recordBytes;
    const json = Buffer.concat(this.parts);
    this.parts = [];
    this.length = 0;
    if (isTooLong) this.records.push({ kind: 'broken', place, detail: tooLong });
    else {
      const read = toRawRecord(place, json);
      const [, name, id] = this.names;
      this.records.push(
        read.kind === 'broken' ? read : { ...read, json: { package: name, id, issue: read.json } },
      );
    }
  }

  private place(): string {
    return this.names.slice(1, this.depth < 2 ? 2 : inIssue).join('/');
  }
}

function notJson(detail: string): ImportError {
  return new ImportError('invalid_json', detail);
}
