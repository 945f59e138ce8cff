import { formatOfRecord } from '@plimsoll/advisories';
import type { FeedFormat } from '@plimsoll/model';
import { type FeedRecord, type RawRecord, recordLimits } from './feed-record.ts';
import { foreignRecord, foreignXml } from './foreign-format.ts';
import { ImportError } from './import-error.ts';
import { putBack } from './put-back.ts';
import { readAlasRecord } from './read-alas-record.ts';
import { readEpssRows } from './read-epss-rows.ts';
import { readJsonRecords } from './read-json-records.ts';
import { readLifecycleRows } from './read-lifecycle-rows.ts';
import { isTrackerStart, readTrackerRecords, trackerStartBytes } from './read-tracker-records.ts';
import { readUpdateinfo } from './read-updateinfo.ts';

const byteOrderMark = Buffer.from('\ufeff');

/** The records of a text: JSON, updateinfo XML, EPSS's or distro-info's CSV, recognised by its first character. */
export async function* readTextRecords(text: AsyncIterable<Buffer>): AsyncGenerator<FeedRecord> {
  const iterator = withoutLeadingSpace(limited(text))[Symbol.asyncIterator]();
  const read = await readStart(iterator);
  if (read.length === 0) throw new ImportError('no_records', 'The file is empty.');
  const start = Buffer.concat(read);
  const all = putBack(read, iterator);
  switch (String.fromCharCode(start[0] ?? 0)) {
    case '{':
      if (isTrackerStart(start)) {
        yield* withOneFormat(readTrackerRecords(all), 'debian-tracker');
        return;
      }
      for await (const record of readJsonRecords(all)) yield withFormat(record);
      return;
    case '[':
      for await (const record of readJsonRecords(all)) yield withFormat(record);
      return;
    case '<':
      refuseForeignXml(start);
      yield* withOneFormat(readUpdateinfo(all), 'updateinfo');
      return;
    case '#':
    case 'c':
    case 'C':
      yield* withOneFormat(readEpssRows(all), 'epss');
      return;
    case 'v':
    case 'V':
      yield* withOneFormat(readLifecycleRows(all), 'lifecycles');
      return;
    default:
      throw new ImportError('not_recognised', 'The file is neither a zip, nor gzip, zstd, JSON, XML or CSV.');
  }
}

/** The first chunks of a text that are needed to recognise it. */
async function readStart(iterator: AsyncIterator<Buffer>): Promise<readonly Buffer[]> {
  const read: Buffer[] = [];
  for (let length = 0; length < trackerStartBytes; ) {
    const next = await iterator.next();
    if (next.done === true) break;
    read.push(next.value);
    length += next.value.length;
  }
  return read;
}

/** A JSON record with its format, in the form for the format's parsers. */
export function withFormat(record: RawRecord): FeedRecord {
  if (record.kind === 'broken') return record;
  const format = formatOfRecord(record.json);
  const foreign = ['osv', 'csaf-vex'].includes(format) ? foreignRecord(record.json) : null;
  if (foreign !== null)
    return { kind: 'broken', place: record.place, detail: `is ${foreign}, which is not read` };
  const json = isAlas(record.json) ? readAlasRecord(record.json) : record.json;
  return { ...record, format, json };
}

function refuseForeignXml(start: Buffer): void {
  const foreign = foreignXml(start.toString('utf8'));
  if (foreign !== null) throw new ImportError('not_recognised', `The file is ${foreign}. It is not read.`);
}

function isAlas(json: unknown): boolean {
  return typeof json === 'object' && json !== null && Object.hasOwn(json, 'Pkglist');
}

async function* withOneFormat(
  records: AsyncGenerator<RawRecord>,
  format: FeedFormat,
): AsyncGenerator<FeedRecord> {
  for await (const record of records) yield record.kind === 'broken' ? record : { ...record, format };
}

async function* limited(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of text) {
    total += chunk.length;
    if (total > recordLimits.totalBytes)
      throw new ImportError('too_large', 'The file contains more than 8 GiB.');
    yield chunk;
  }
}

/** The same bytes without a byte order mark and white space at the start. */
async function* withoutLeadingSpace(text: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let begun = false;
  let start = Buffer.alloc(0);
  for await (const chunk of text) {
    if (begun) {
      yield chunk;
      continue;
    }
    start = Buffer.concat([start, chunk]);
    if (start.length < byteOrderMark.length) continue;
    if (start.subarray(0, 3).equals(byteOrderMark)) start = start.subarray(3);
    const at = start.findIndex((byte) => byte > 0x20);
    begun = at !== -1;
    if (begun) yield start.subarray(at);
    start = Buffer.alloc(0);
  }
  const at = start.findIndex((byte) => byte > 0x20);
  if (at !== -1) yield start.subarray(at);
}
