import { SaxesParser } from 'saxes';
import { type RawRecord, recordLimits, tooLong } from './feed-record.ts';
import { ImportError } from './import-error.ts';
import { UpdateBuilder } from './update-builder.ts';

/** Maximum bytes from one tag to the next: the XML parser holds a text or a tag that does not end. */
const maxTokenBytes = 2 * 1024 * 1024;
const maxDepth = 12;

/**
 * The updates of an updateinfo.xml, one record each as plain JSON (see UpdateBuilder). Holds at most one update in
 * memory. Throws ImportError for a document type, so that no entity is expanded and nothing external is read, and for
 * XML that is not well-formed, because the text after the damage cannot be interpreted.
 */
export async function* readUpdateinfo(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  const reader = new UpdateinfoReader();
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    // In small pieces, because limits are checked between them.
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const piece = chunk.subarray(at, at + pieceBytes);
      yield* reader.push(decoder.decode(piece, { stream: true }), piece.length);
    }
  }
  yield* reader.end();
}

const pieceBytes = 64 * 1024;

class UpdateinfoReader {
  private readonly parser = new SaxesParser({ position: false });
  private readonly path: string[] = [];
  private records: RawRecord[] = [];
  private update: UpdateBuilder | null = null;
  private updates = 0;
  /** Bytes since the end of the last tag, and since the start of the update. */
  private tokenBytes = 0;
  private updateBytes = 0;

  constructor() {
    this.parser.on('error', (error) => {
      throw new ImportError('invalid_xml', 'The XML is cut off or damaged.', { cause: error });
    });
    this.parser.on('xmldecl', ({ encoding }) => {
      if (encoding !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(encoding))
        throw new ImportError('invalid_xml', 'The XML is not in UTF-8.');
    });
    this.parser.on('doctype', () => {
      throw new ImportError('invalid_xml', 'The XML has a document type, which is refused.');
    });
    // Without namespaces, attributes are plain strings.
    this.parser.on('opentag', ({ name, attributes }) =>
      this.open(name, attributes as Record<string, string>),
    );
    this.parser.on('closetag', () => this.close());
    this.parser.on('text', (text) => this.text(text));
    this.parser.on('cdata', (text) => this.text(text));
  }

  push(text: string, bytes: number): readonly RawRecord[] {
    this.tokenBytes += bytes;
    this.updateBytes += bytes;
    this.parser.write(text);
    if (this.tokenBytes > maxTokenBytes)
      throw new ImportError('too_large', 'The XML has a text or a tag that is too long.');
    if (this.update !== null && this.updateBytes > recordLimits.recordBytes) {
      this.records.push({ kind: 'broken', place: this.place(this.update), detail: tooLong });
      this.update = null;
    }
    return this.take();
  }

  end(): readonly RawRecord[] {
    this.parser.close();
    return this.take();
  }

  private take(): readonly RawRecord[] {
    const { records } = this;
    this.records = [];
    return records;
  }

  private open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.tokenBytes = 0;
    this.path.push(name);
    if (this.path.length > maxDepth) throw new ImportError('invalid_xml', 'The XML is nested too deep.');
    if (this.path.length === 1 && name !== 'updates')
      throw new ImportError('not_recognised', 'The XML is no updateinfo: it does not begin with <updates>.');
    if (this.path.length === 2 && name === 'update') {
      this.update = new UpdateBuilder(attributes);
      this.updates++;
      this.updateBytes = 0;
    } else this.update?.open(this.below(), attributes);
  }

  private close(): void {
    this.tokenBytes = 0;
    if (this.path.length === 2 && this.update !== null) {
      this.records.push({ kind: 'record', place: this.place(this.update), json: this.update.build() });
      this.update = null;
    }
    this.path.pop();
  }

  private text(text: string): void {
    this.update?.text(this.below(), text);
  }

  /** The path of open elements below `<update>`. */
  private below(): string {
    return this.path.slice(2).join('/');
  }

  private place(update: UpdateBuilder): string {
    return update.id?.trim().slice(0, 100) || `update ${this.updates}`;
  }
}
