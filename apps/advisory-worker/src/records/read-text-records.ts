import type { Readable } from 'node:stream';
import { type FeedRecord, recordLimits, toFeedRecord } from './feed-record.ts';
import { ImportError } from './import-error.ts';

const newline = 10;

/**
 * The records of a text: one JSON object a line, or one JSON value that is a record or an array of records. Which of
 * the two it is shows in the first line. Memory stays within one line, or within a file that is one JSON value.
 */
export async function* readTextRecords(text: Readable): AsyncGenerator<FeedRecord> {
  const lines = splitLines(text);
  const first = await firstLine(lines);
  if (first === null) throw new ImportError('no_records', 'The file is empty.');
  if (isObject(first.text)) {
    yield toFeedRecord(`line ${first.number}`, first.text);
    yield* readLines(lines);
    return;
  }
  yield* toRecords(parseWhole(await readRest(first.text, lines)));
}

interface Line {
  readonly number: number;
  /** Null: longer than a record may be; the text was passed over. */
  readonly text: string | null;
}

async function firstLine(lines: AsyncGenerator<Line>): Promise<{ number: number; text: string } | null> {
  for (;;) {
    const next = await lines.next();
    if (next.done === true) return null;
    const { number, text } = next.value;
    if (text === null) throw new ImportError('too_large', `Line ${number} is longer than a record may be.`);
    if (text.trim() !== '') return { number, text };
  }
}

function isObject(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

async function* readLines(lines: AsyncGenerator<Line>): AsyncGenerator<FeedRecord> {
  for await (const { number, text } of lines) {
    if (text === null)
      yield { kind: 'broken', place: `line ${number}`, detail: 'is longer than a record may be' };
    else if (text.trim() !== '') yield toFeedRecord(`line ${number}`, text);
  }
}

async function readRest(start: string, lines: AsyncGenerator<Line>): Promise<string> {
  const parts = [start];
  let length = start.length;
  for await (const { number, text } of lines) {
    if (text === null || length + text.length > recordLimits.wholeJsonBytes) {
      throw new ImportError(
        'too_large',
        `The JSON is too large at line ${number}: send one record a line, or a zip.`,
      );
    }
    parts.push(text);
    length += text.length;
  }
  return parts.join('\n');
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ImportError(
      'invalid_json',
      'The file is neither a zip, nor JSON, nor one JSON record a line.',
      {
        cause: error,
      },
    );
  }
}

function* toRecords(value: unknown): Generator<FeedRecord> {
  if (!Array.isArray(value)) {
    yield { kind: 'record', place: 'the file', json: value };
    return;
  }
  for (const [index, json] of value.entries()) yield { kind: 'record', place: `/${index}`, json };
}

async function* splitLines(text: Readable): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let length = 0;
  let total = 0;
  let number = 1;
  const take = (): Line => {
    // The decoder drops a byte order mark; what is not UTF-8 it replaces.
    const line = length > recordLimits.recordBytes ? null : new TextDecoder().decode(Buffer.concat(parts));
    parts = [];
    length = 0;
    return { number: number++, text: line };
  };
  for await (const read of text) {
    let chunk = read as Buffer; // No encoding is set, so that chunks are buffers.
    total += chunk.length;
    if (total > recordLimits.totalBytes)
      throw new ImportError('too_large', 'The file holds more than 8 GiB.');
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline)) {
      keep(chunk.subarray(0, end));
      yield take();
      chunk = chunk.subarray(end + 1);
    }
    keep(chunk);
  }
  if (length > 0) yield take();

  function keep(piece: Buffer): void {
    length += piece.length;
    if (length > recordLimits.recordBytes) parts = [];
    else if (piece.length > 0) parts.push(piece);
  }
}
