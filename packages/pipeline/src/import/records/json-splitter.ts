import { type RawRecord, recordLimits, toDocument, tooLong, toRawRecord } from './feed-record.ts';
import { ImportError } from './import-error.ts';
import { documentFields, listFields } from './list-fields.ts';

const maxFieldBytes = 64;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;

/**
 * Splits one JSON value into records as it streams: the elements of a list, the elements of the list in an object
 * around it, or the value itself. Scans only for the bounds of strings and brackets; each record is parsed on its own,
 * and text around the records is skipped. Holds at most one record in memory.
 */
export class JsonSplitter {
  private readonly records: RawRecord[] = [];
  private depth = 0;
  private inString = false;
  private escaped = false;
  /** The depth of the list's elements; null until a list begins. */
  private listDepth: number | null = null;
  private inList = false;
  private over = false;
  /** The last string directly in the outermost object, and whether a colon followed it. */
  private field: number[] = [];
  private fieldNamed = false;
  /** Whether the outermost object is one record, although it has a list. */
  private isDocument = false;
  private parts: Buffer[] = [];
  private length = 0;
  private elements = 0;

  /** Adds the next bytes; returns the records that ended in them. */
  push(chunk: Buffer): readonly RawRecord[] {
    this.records.length = 0;
    let start = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number; // Within its length.
      if (this.inString) {
        this.readString(byte);
        continue;
      }
      if (byte <= 0x20) continue;
      if (this.over) throw notJson('There is text after the end of the JSON value.');
      switch (byte) {
        case quote:
          this.inString = true;
          if (this.depth === 1) this.field = [];
          break;
        case colon:
          if (this.depth === 1) this.nameField();
          break;
        case 0x5b: // [
        case 0x7b: // {
          this.depth++;
          if (this.opensList(byte)) {
            this.beginList();
            start = at + 1;
          }
          if (this.depth > 1 || byte === 0x7b) this.fieldNamed = false;
          break;
        case 0x5d: // ]
        case 0x7d: // }
          this.depth--;
          if (this.inList && this.depth === (this.listDepth ?? 0) - 1) {
            this.keep(chunk.subarray(start, at));
            this.endElement(true);
            this.inList = false;
            start = at + 1;
          }
          if (this.depth === 0) {
            if (this.listDepth === null) {
              this.keep(chunk.subarray(start, at + 1));
              this.endWhole();
            }
            this.over = true;
            start = chunk.length;
          }
          if (this.depth < 0) throw notJson('The JSON is damaged.');
          break;
        case comma:
          if (this.depth === 1) this.fieldNamed = false;
          if (!this.inList || this.depth !== this.listDepth) break;
          this.keep(chunk.subarray(start, at));
          this.endElement(false);
          start = at + 1;
          break;
        default:
      }
    }
    if (this.inList || this.listDepth === null) this.keep(chunk.subarray(start));
    return this.records;
  }

  /** Marks the end of the bytes. Throws ImportError if the value has not ended. */
  end(): void {
    if (!this.over) throw notJson('The JSON is cut off.');
  }

  private readString(byte: number): void {
    if (this.escaped) this.escaped = false;
    else if (byte === backslash) this.escaped = true;
    else if (byte === quote) this.inString = false;
    if (this.depth === 1 && this.inString && this.field.length <= maxFieldBytes) this.field.push(byte);
  }

  private nameField(): void {
    this.fieldNamed = true;
    this.isDocument ||= documentFields.includes(this.fieldName());
  }

  private fieldName(): string {
    return Buffer.from(this.field).toString('latin1');
  }

  private opensList(byte: number): boolean {
    if (this.listDepth !== null || byte !== 0x5b) return false;
    if (this.depth === 1) return true;
    return this.depth === 2 && this.fieldNamed && !this.isDocument && listFields.includes(this.fieldName());
  }

  private beginList(): void {
    this.listDepth = this.depth;
    this.inList = true;
    this.drop();
  }

  private keep(piece: Buffer): void {
    this.length += piece.length;
    if (this.length > (this.isDocument ? recordLimits.documentBytes : recordLimits.recordBytes)) {
      // The object around a list has no length limit after the list, but has one before it.
      if (this.listDepth === null)
        throw new ImportError('too_large', 'The file is one JSON value that is too large.');
      this.parts = [];
    } else if (piece.length > 0) this.parts.push(piece);
  }

  private endElement(isLast: boolean): void {
    const place = `/${this.elements}`;
    if (this.length > recordLimits.recordBytes) this.records.push({ kind: 'broken', place, detail: tooLong });
    else {
      const json = Buffer.concat(this.parts);
      // "[]" has no element.
      if (!isLast || this.elements > 0 || json.toString('utf8').trim() !== '')
        this.records.push(toRawRecord(place, json));
    }
    this.elements++;
    this.drop();
  }

  private endWhole(): void {
    const record = toDocument('the file', Buffer.concat(this.parts));
    if (record.kind === 'broken') throw notJson('The JSON is damaged.');
    this.records.push(record);
    this.drop();
  }

  private drop(): void {
    this.parts = [];
    this.length = 0;
  }
}

function notJson(detail: string): ImportError {
  return new ImportError('invalid_json', detail);
}
