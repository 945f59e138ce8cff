import { type RawRecord, recordLimits, tooLong, toRawRecord } from './feed-record.ts';
import { JsonSplitter } from './json-splitter.ts';
import { documentFields, listFields } from './list-fields.ts';
import { putBack } from './put-back.ts';
import { splitLines } from './split-lines.ts';

const newline = 10;

/**
 * The records of a JSON text: one object per line, a list of objects, an object around such a list, or a single object.
 * The text is read line by line if its first line is a whole object; a broken line then does not affect the next.
 */
export async function* readJsonRecords(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  const iterator = chunks[Symbol.asyncIterator]();
  const { read, line } = await readFirstLine(iterator);
  const all = putBack(read, iterator);
  if (line !== null && isRecord(line)) yield* readLines(all);
  else yield* readValue(all);
}

/**
 * The first line that is not blank, and everything read to find it. The line is null above the limit of a
 * record.
 */
async function readFirstLine(
  iterator: AsyncIterator<Buffer>,
): Promise<{ readonly read: readonly Buffer[]; readonly line: string | null }> {
  const read: Buffer[] = [];
  let length = 0;
  for (;;) {
    const next = await iterator.next();
    if (next.done !== true) {
      read.push(next.value);
      length += next.value.length;
    }
    // Join only if a line may have ended: joining for every chunk takes quadratic time.
    if (next.done !== true && !next.value.includes(newline) && length <= recordLimits.recordBytes) continue;
    const text = new TextDecoder().decode(Buffer.concat(read)).trimStart();
    const end = text.indexOf('\n');
    if (end !== -1 || next.done === true) return { read, line: end === -1 ? text : text.slice(0, end) };
    if (length > recordLimits.recordBytes) return { read, line: null };
  }
}

/** Whether a line is one whole object, but not an object around a list of records. */
function isRecord(line: string): boolean {
  const record = toRawRecord('', Buffer.from(line));
  if (record.kind === 'broken' || typeof record.json !== 'object' || record.json === null) return false;
  if (Array.isArray(record.json)) return false;
  const fields = new Map<string, unknown>(Object.entries(record.json));
  return (
    documentFields.some((field) => fields.has(field)) ||
    !listFields.some((field) => Array.isArray(fields.get(field)))
  );
}

async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  for await (const { number, text } of splitLines(chunks)) {
    const place = `line ${number}`;
    if (text === null) yield { kind: 'broken', place, detail: tooLong };
    else if (text.trim() !== '') yield toRawRecord(place, Buffer.from(text));
  }
}

async function* readValue(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawRecord> {
  const splitter = new JsonSplitter();
  for await (const chunk of chunks) yield* splitter.push(chunk);
  splitter.end();
}
