import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { FeedRecord } from '../../src/import/records/feed-record.ts';
import { readRecords } from '../../src/import/records/read-records.ts';

/** The first records of a file with a content; absent `most`: all of them. */
export async function readContent(
  content: Uint8Array | string,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly FeedRecord[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-records-'));
  try {
    const file = path.join(folder, 'feed');
    await writeFile(file, content);
    const records: FeedRecord[] = [];
    for await (const record of readRecords(file)) if (records.push(record) === most) break;
    return records;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The ids of the records of a content; of a broken one, what is wrong. */
export async function idsIn(content: Uint8Array | string, most?: number): Promise<readonly unknown[]> {
  const records = await readContent(content, most);
  return records.map((record) =>
    record.kind === 'record' ? (record.json as { id: unknown }).id : record.detail,
  );
}
